-- AlterTable
ALTER TABLE "grant" ADD COLUMN     "pattern" TEXT,
ADD COLUMN     "rulesHash" TEXT;

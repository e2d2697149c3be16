-- AlterTable
ALTER TABLE "grant" ADD COLUMN "pattern" TEXT;
ALTER TABLE "grant" ADD COLUMN "rulesHash" TEXT;

-- Since 0.2.0

-- AlterTable
ALTER TABLE "run" ADD COLUMN     "lostOwners" TEXT;

-- Since 0.2.0

-- AlterTable
ALTER TABLE "note" ADD COLUMN     "folded" TEXT;

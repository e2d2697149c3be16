-- Since 0.2.0

-- AlterTable
ALTER TABLE "call" ADD COLUMN     "subject" TEXT;

-- AlterTable
ALTER TABLE "run" ADD COLUMN "effort" TEXT;

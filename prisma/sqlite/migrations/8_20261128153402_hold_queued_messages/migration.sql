-- AlterTable
ALTER TABLE "run" ADD COLUMN "heldAt" DATETIME;

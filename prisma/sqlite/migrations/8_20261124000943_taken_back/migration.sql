-- AlterTable
ALTER TABLE "thread" ADD COLUMN "takenBackAt" DATETIME;

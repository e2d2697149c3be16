-- AlterTable
ALTER TABLE "thread" ADD COLUMN     "takenBackAt" TIMESTAMP(3);

-- AlterTable
ALTER TABLE "approval" ADD COLUMN "facts" TEXT;

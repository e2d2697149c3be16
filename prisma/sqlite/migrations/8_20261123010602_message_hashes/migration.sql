-- AlterTable
ALTER TABLE "message" ADD COLUMN "bodyHash" TEXT;

-- AlterTable
ALTER TABLE "decision_token" ADD COLUMN "signature" TEXT;

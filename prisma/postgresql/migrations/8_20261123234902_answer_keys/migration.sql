-- AlterTable
ALTER TABLE "firing" ADD COLUMN     "answerKey" TEXT;

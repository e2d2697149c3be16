-- AlterTable
ALTER TABLE "run" ADD COLUMN     "heldAt" TIMESTAMP(3);

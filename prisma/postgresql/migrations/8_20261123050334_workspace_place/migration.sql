-- AlterTable
ALTER TABLE "workspace" ADD COLUMN     "place" TEXT;

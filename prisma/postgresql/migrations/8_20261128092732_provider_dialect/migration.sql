-- AlterTable
ALTER TABLE "provider" ADD COLUMN     "dialect" TEXT NOT NULL DEFAULT 'auto';

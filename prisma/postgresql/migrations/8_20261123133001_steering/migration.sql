-- AlterTable
ALTER TABLE "run" ADD COLUMN     "steersRunId" TEXT,
ADD COLUMN     "unreadSteers" INTEGER NOT NULL DEFAULT 0;

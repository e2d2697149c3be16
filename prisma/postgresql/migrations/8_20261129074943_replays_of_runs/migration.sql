-- Since 0.2.0

-- AlterTable
ALTER TABLE "run" ADD COLUMN     "fromStep" INTEGER,
ADD COLUMN     "replayId" TEXT,
ADD COLUMN     "replayOf" TEXT;

-- AlterTable
ALTER TABLE "thread" ADD COLUMN     "replayId" TEXT;

-- CreateTable
CREATE TABLE "replay" (
    "id" TEXT NOT NULL,
    "runId" TEXT NOT NULL,
    "threadId" TEXT NOT NULL,
    "ownerId" TEXT NOT NULL,
    "fromStep" INTEGER NOT NULL,
    "repeat" INTEGER NOT NULL,
    "changes" TEXT,
    "tools" TEXT NOT NULL,
    "createdAt" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "replay_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "replay_runId_createdAt_idx" ON "replay"("runId", "createdAt");

-- CreateIndex
CREATE INDEX "replay_threadId_idx" ON "replay"("threadId");

-- CreateIndex
CREATE INDEX "thread_replay_idx" ON "thread"("replayId") WHERE ("replayId" IS NOT NULL);

-- Since 0.2.0

-- AlterTable
ALTER TABLE "approval" ADD COLUMN     "seenAt" TIMESTAMP(3),
ADD COLUMN     "seenById" TEXT,
ADD COLUMN     "told" TEXT;

-- AlterTable
ALTER TABLE "file_version" ADD COLUMN     "undoId" TEXT;

-- AlterTable
ALTER TABLE "memory_version" ADD COLUMN     "undoId" TEXT;

-- AlterTable
ALTER TABLE "workspace" ADD COLUMN     "undoId" TEXT;

-- CreateTable
CREATE TABLE "undo" (
    "id" TEXT NOT NULL,
    "runId" TEXT NOT NULL,
    "threadId" TEXT NOT NULL,
    "actorId" TEXT NOT NULL,
    "state" TEXT NOT NULL,
    "targets" TEXT NOT NULL,
    "startedAt" TIMESTAMP(3) NOT NULL,
    "endedAt" TIMESTAMP(3),
    "takenBackAt" TIMESTAMP(3),
    "takenBackById" TEXT,

    CONSTRAINT "undo_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "undo_threadId_idx" ON "undo"("threadId");

-- CreateIndex
CREATE INDEX "undo_actorId_idx" ON "undo"("actorId");

-- CreateIndex
CREATE INDEX "undo_open_idx" ON "undo"("startedAt") WHERE ("endedAt" IS NULL);

-- CreateIndex
CREATE UNIQUE INDEX "undo_in_force_key" ON "undo"("runId") WHERE ("state" <> 'taken_back');

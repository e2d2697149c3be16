-- DropIndex
DROP INDEX "run_parentRunId_idx";

-- AlterTable
ALTER TABLE "run" ADD COLUMN     "depth" INTEGER NOT NULL DEFAULT 0,
ADD COLUMN     "isBackground" BOOLEAN NOT NULL DEFAULT false,
ADD COLUMN     "isInline" BOOLEAN NOT NULL DEFAULT false,
ADD COLUMN     "isReported" BOOLEAN NOT NULL DEFAULT false,
ADD COLUMN     "parentSpanId" TEXT,
ADD COLUMN     "parentToolCallId" TEXT,
ADD COLUMN     "rootRunId" TEXT,
ADD COLUMN     "subagentName" TEXT,
ADD COLUMN     "waitedMs" INTEGER NOT NULL DEFAULT 0,
ADD COLUMN     "waitingFor" TEXT,
ADD COLUMN     "waitingSince" TIMESTAMP(3);

-- AlterTable
ALTER TABLE "thread" ADD COLUMN     "compactionCount" INTEGER NOT NULL DEFAULT 0,
ADD COLUMN     "compactionOwner" TEXT,
ADD COLUMN     "compactionUntil" TIMESTAMP(3),
ADD COLUMN     "flushedCycle" INTEGER,
ADD COLUMN     "parentThreadId" TEXT,
ADD COLUMN     "summary" TEXT,
ADD COLUMN     "summaryCutId" TEXT;

-- CreateTable
CREATE TABLE "agent_version_file" (
    "agentVersionId" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "content" TEXT NOT NULL,

    CONSTRAINT "agent_version_file_pkey" PRIMARY KEY ("agentVersionId","name")
);

-- CreateTable
CREATE TABLE "first_time" (
    "key" TEXT NOT NULL,
    "runId" TEXT NOT NULL,
    "threadId" TEXT NOT NULL,
    "createdAt" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "first_time_pkey" PRIMARY KEY ("key")
);

-- CreateTable
CREATE TABLE "approval" (
    "id" TEXT NOT NULL,
    "runId" TEXT NOT NULL,
    "threadId" TEXT NOT NULL,
    "ownerId" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "toolCallId" TEXT NOT NULL,
    "tool" TEXT NOT NULL,
    "args" TEXT NOT NULL,
    "editedArgs" TEXT,
    "reason" TEXT,
    "questions" TEXT,
    "answers" TEXT,
    "status" TEXT NOT NULL DEFAULT 'pending',
    "note" TEXT,
    "scope" TEXT,
    "decidedBy" TEXT,
    "decidedAt" TIMESTAMP(3),
    "createdAt" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "approval_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "grant" (
    "id" TEXT NOT NULL,
    "threadId" TEXT NOT NULL,
    "ownerId" TEXT NOT NULL,
    "tool" TEXT NOT NULL,
    "args" TEXT NOT NULL,
    "argsHash" TEXT NOT NULL,
    "createdBy" TEXT NOT NULL,
    "createdAt" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expiresAt" TIMESTAMP(3) NOT NULL,
    "revokedAt" TIMESTAMP(3),

    CONSTRAINT "grant_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "approval_ownerId_status_createdAt_id_idx" ON "approval"("ownerId", "status", "createdAt", "id");

-- CreateIndex
CREATE UNIQUE INDEX "approval_runId_toolCallId_kind_key" ON "approval"("runId", "toolCallId", "kind");

-- CreateIndex
CREATE INDEX "grant_ownerId_createdAt_idx" ON "grant"("ownerId", "createdAt");

-- CreateIndex
CREATE UNIQUE INDEX "grant_threadId_tool_argsHash_key" ON "grant"("threadId", "tool", "argsHash");

-- CreateIndex
CREATE INDEX "run_rootRunId_idx" ON "run"("rootRunId");

-- CreateIndex
CREATE UNIQUE INDEX "run_parentRunId_parentToolCallId_key" ON "run"("parentRunId", "parentToolCallId");

-- CreateIndex
CREATE INDEX "thread_parentThreadId_idx" ON "thread"("parentThreadId");

-- AddForeignKey
ALTER TABLE "agent_version_file" ADD CONSTRAINT "agent_version_file_agentVersionId_fkey" FOREIGN KEY ("agentVersionId") REFERENCES "agent_version"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "approval" ADD CONSTRAINT "approval_runId_fkey" FOREIGN KEY ("runId") REFERENCES "run"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "grant" ADD CONSTRAINT "grant_threadId_fkey" FOREIGN KEY ("threadId") REFERENCES "thread"("id") ON DELETE CASCADE ON UPDATE CASCADE;

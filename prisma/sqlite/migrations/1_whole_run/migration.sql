-- CreateTable
CREATE TABLE "agent_version_file" (
    "agentVersionId" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "content" TEXT NOT NULL,

    PRIMARY KEY ("agentVersionId", "name"),
    CONSTRAINT "agent_version_file_agentVersionId_fkey" FOREIGN KEY ("agentVersionId") REFERENCES "agent_version" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateTable
CREATE TABLE "first_time" (
    "key" TEXT NOT NULL PRIMARY KEY,
    "runId" TEXT NOT NULL,
    "threadId" TEXT NOT NULL,
    "createdAt" DATETIME NOT NULL DEFAULT CURRENT_TIMESTAMP
);

-- CreateTable
CREATE TABLE "approval" (
    "id" TEXT NOT NULL PRIMARY KEY,
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
    "decidedAt" DATETIME,
    "createdAt" DATETIME NOT NULL DEFAULT CURRENT_TIMESTAMP,
    CONSTRAINT "approval_runId_fkey" FOREIGN KEY ("runId") REFERENCES "run" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateTable
CREATE TABLE "grant" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "threadId" TEXT NOT NULL,
    "ownerId" TEXT NOT NULL,
    "tool" TEXT NOT NULL,
    "args" TEXT NOT NULL,
    "argsHash" TEXT NOT NULL,
    "createdBy" TEXT NOT NULL,
    "createdAt" DATETIME NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expiresAt" DATETIME NOT NULL,
    "revokedAt" DATETIME,
    CONSTRAINT "grant_threadId_fkey" FOREIGN KEY ("threadId") REFERENCES "thread" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- RedefineTables
PRAGMA defer_foreign_keys=ON;
PRAGMA foreign_keys=OFF;
CREATE TABLE "new_run" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "threadId" TEXT NOT NULL,
    "ownerId" TEXT NOT NULL,
    "agentId" TEXT NOT NULL,
    "agentVersionId" TEXT NOT NULL,
    "traceId" TEXT NOT NULL,
    "parentRunId" TEXT,
    "rootRunId" TEXT,
    "depth" INTEGER NOT NULL DEFAULT 0,
    "parentToolCallId" TEXT,
    "parentSpanId" TEXT,
    "subagentName" TEXT,
    "isInline" BOOLEAN NOT NULL DEFAULT false,
    "isBackground" BOOLEAN NOT NULL DEFAULT false,
    "isReported" BOOLEAN NOT NULL DEFAULT false,
    "continuesRunId" TEXT,
    "status" TEXT NOT NULL DEFAULT 'queued',
    "input" TEXT NOT NULL,
    "modelOverride" TEXT,
    "idempotencyKey" TEXT,
    "assistantMessageId" TEXT NOT NULL,
    "segment" INTEGER NOT NULL DEFAULT 0,
    "takeovers" INTEGER NOT NULL DEFAULT 0,
    "waitingFor" TEXT,
    "waitingSince" DATETIME,
    "waitedMs" INTEGER NOT NULL DEFAULT 0,
    "leaseOwner" TEXT,
    "leaseUntil" DATETIME,
    "epoch" INTEGER NOT NULL DEFAULT 0,
    "cancelRequestedAt" DATETIME,
    "cancelledBy" TEXT,
    "errorCode" TEXT,
    "errorMessage" TEXT,
    "notice" TEXT,
    "steps" INTEGER NOT NULL DEFAULT 0,
    "inputTokens" INTEGER NOT NULL DEFAULT 0,
    "cachedReadTokens" INTEGER NOT NULL DEFAULT 0,
    "cachedWriteTokens" INTEGER NOT NULL DEFAULT 0,
    "outputTokens" INTEGER NOT NULL DEFAULT 0,
    "reasoningTokens" INTEGER NOT NULL DEFAULT 0,
    "costUsd" REAL,
    "createdAt" DATETIME NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "startedAt" DATETIME,
    "endedAt" DATETIME,
    CONSTRAINT "run_threadId_fkey" FOREIGN KEY ("threadId") REFERENCES "thread" ("id") ON DELETE CASCADE ON UPDATE CASCADE,
    CONSTRAINT "run_agentVersionId_fkey" FOREIGN KEY ("agentVersionId") REFERENCES "agent_version" ("id") ON DELETE RESTRICT ON UPDATE CASCADE
);
INSERT INTO "new_run" ("agentId", "agentVersionId", "assistantMessageId", "cachedReadTokens", "cachedWriteTokens", "cancelRequestedAt", "cancelledBy", "continuesRunId", "costUsd", "createdAt", "endedAt", "epoch", "errorCode", "errorMessage", "id", "idempotencyKey", "input", "inputTokens", "leaseOwner", "leaseUntil", "modelOverride", "notice", "outputTokens", "ownerId", "parentRunId", "reasoningTokens", "segment", "startedAt", "status", "steps", "takeovers", "threadId", "traceId") SELECT "agentId", "agentVersionId", "assistantMessageId", "cachedReadTokens", "cachedWriteTokens", "cancelRequestedAt", "cancelledBy", "continuesRunId", "costUsd", "createdAt", "endedAt", "epoch", "errorCode", "errorMessage", "id", "idempotencyKey", "input", "inputTokens", "leaseOwner", "leaseUntil", "modelOverride", "notice", "outputTokens", "ownerId", "parentRunId", "reasoningTokens", "segment", "startedAt", "status", "steps", "takeovers", "threadId", "traceId" FROM "run";
DROP TABLE "run";
ALTER TABLE "new_run" RENAME TO "run";
CREATE INDEX "run_threadId_createdAt_idx" ON "run"("threadId", "createdAt");
CREATE INDEX "run_ownerId_createdAt_idx" ON "run"("ownerId", "createdAt");
CREATE INDEX "run_status_leaseUntil_idx" ON "run"("status", "leaseUntil");
CREATE INDEX "run_rootRunId_idx" ON "run"("rootRunId");
CREATE UNIQUE INDEX "run_threadId_idempotencyKey_key" ON "run"("threadId", "idempotencyKey");
CREATE UNIQUE INDEX "run_parentRunId_parentToolCallId_key" ON "run"("parentRunId", "parentToolCallId");
CREATE UNIQUE INDEX "run_active_root_key" ON "run"("threadId") WHERE ("parentRunId" IS NULL) AND (("status" = 'running') OR ("status" = 'waiting'));
CREATE TABLE "new_thread" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "ownerId" TEXT NOT NULL,
    "agentId" TEXT NOT NULL,
    "clientId" TEXT NOT NULL,
    "title" TEXT,
    "titled" BOOLEAN NOT NULL DEFAULT false,
    "pinned" BOOLEAN NOT NULL DEFAULT false,
    "ephemeral" BOOLEAN NOT NULL DEFAULT false,
    "parentThreadId" TEXT,
    "archivedAt" DATETIME,
    "deletedAt" DATETIME,
    "createdAt" DATETIME NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updatedAt" DATETIME NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "summary" TEXT,
    "summaryCutId" TEXT,
    "compactionCount" INTEGER NOT NULL DEFAULT 0,
    "flushedCycle" INTEGER,
    "compactionOwner" TEXT,
    "compactionUntil" DATETIME,
    CONSTRAINT "thread_ownerId_fkey" FOREIGN KEY ("ownerId") REFERENCES "user" ("id") ON DELETE CASCADE ON UPDATE CASCADE,
    CONSTRAINT "thread_agentId_fkey" FOREIGN KEY ("agentId") REFERENCES "agent" ("id") ON DELETE RESTRICT ON UPDATE CASCADE
);
INSERT INTO "new_thread" ("agentId", "archivedAt", "clientId", "createdAt", "deletedAt", "ephemeral", "id", "ownerId", "pinned", "title", "titled", "updatedAt") SELECT "agentId", "archivedAt", "clientId", "createdAt", "deletedAt", "ephemeral", "id", "ownerId", "pinned", "title", "titled", "updatedAt" FROM "thread";
DROP TABLE "thread";
ALTER TABLE "new_thread" RENAME TO "thread";
CREATE INDEX "thread_parentThreadId_idx" ON "thread"("parentThreadId");
CREATE INDEX "thread_ownerId_updatedAt_id_idx" ON "thread"("ownerId", "updatedAt", "id");
CREATE UNIQUE INDEX "thread_ownerId_agentId_clientId_key" ON "thread"("ownerId", "agentId", "clientId");
PRAGMA foreign_keys=ON;
PRAGMA defer_foreign_keys=OFF;

-- CreateIndex
CREATE INDEX "approval_ownerId_status_createdAt_id_idx" ON "approval"("ownerId", "status", "createdAt", "id");

-- CreateIndex
CREATE UNIQUE INDEX "approval_runId_toolCallId_kind_key" ON "approval"("runId", "toolCallId", "kind");

-- CreateIndex
CREATE INDEX "grant_ownerId_createdAt_idx" ON "grant"("ownerId", "createdAt");

-- CreateIndex
CREATE UNIQUE INDEX "grant_threadId_tool_argsHash_key" ON "grant"("threadId", "tool", "argsHash");

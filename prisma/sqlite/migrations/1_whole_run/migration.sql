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
CREATE TABLE "new_thread" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "ownerId" TEXT NOT NULL,
    "agentId" TEXT NOT NULL,
    "clientId" TEXT NOT NULL,
    "title" TEXT,
    "titled" BOOLEAN NOT NULL DEFAULT false,
    "pinned" BOOLEAN NOT NULL DEFAULT false,
    "ephemeral" BOOLEAN NOT NULL DEFAULT false,
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

-- CreateTable
CREATE TABLE "purged_run" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "ownerId" TEXT NOT NULL,
    "agentId" TEXT NOT NULL,
    "versionNumber" INTEGER NOT NULL,
    "model" TEXT,
    "apiKeyId" TEXT,
    "status" TEXT NOT NULL,
    "inputTokens" INTEGER NOT NULL,
    "cachedReadTokens" INTEGER NOT NULL,
    "cachedWriteTokens" INTEGER NOT NULL,
    "outputTokens" INTEGER NOT NULL,
    "reasoningTokens" INTEGER NOT NULL,
    "isUsagePartial" BOOLEAN NOT NULL,
    "costUsd" REAL,
    "createdAt" DATETIME NOT NULL,
    "startedAt" DATETIME,
    "endedAt" DATETIME,
    "waitedMs" INTEGER NOT NULL
);

-- CreateIndex
CREATE INDEX "purged_run_createdAt_id_idx" ON "purged_run"("createdAt", "id");

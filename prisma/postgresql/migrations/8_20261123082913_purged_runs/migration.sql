-- CreateTable
CREATE TABLE "purged_run" (
    "id" TEXT NOT NULL,
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
    "costUsd" DOUBLE PRECISION,
    "createdAt" TIMESTAMP(3) NOT NULL,
    "startedAt" TIMESTAMP(3),
    "endedAt" TIMESTAMP(3),
    "waitedMs" INTEGER NOT NULL,

    CONSTRAINT "purged_run_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "purged_run_createdAt_id_idx" ON "purged_run"("createdAt", "id");

-- AlterTable
ALTER TABLE "run" ADD COLUMN "originDetails" TEXT;

-- AlterTable
ALTER TABLE "trace" ADD COLUMN "originDetails" TEXT;

-- CreateTable
CREATE TABLE "trigger" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "ownerId" TEXT,
    "agentId" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "config" TEXT NOT NULL,
    "enabled" BOOLEAN NOT NULL DEFAULT true,
    "nextDueAt" DATETIME,
    "failures" INTEGER NOT NULL DEFAULT 0,
    "pausedReason" TEXT,
    "pausedAt" DATETIME,
    "fromConfig" BOOLEAN NOT NULL DEFAULT false,
    "createdAt" DATETIME NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updatedAt" DATETIME NOT NULL
);

-- CreateTable
CREATE TABLE "firing" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "triggerId" TEXT NOT NULL,
    "key" TEXT NOT NULL,
    "dueAt" DATETIME NOT NULL,
    "externalId" TEXT,
    "state" TEXT NOT NULL,
    "reason" TEXT,
    "count" INTEGER NOT NULL DEFAULT 1,
    "threadId" TEXT,
    "runId" TEXT,
    "outcome" TEXT,
    "failedCalls" INTEGER NOT NULL DEFAULT 0,
    "createdAt" DATETIME NOT NULL DEFAULT CURRENT_TIMESTAMP,
    CONSTRAINT "firing_triggerId_fkey" FOREIGN KEY ("triggerId") REFERENCES "trigger" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateTable
CREATE TABLE "delivery" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "runId" TEXT NOT NULL,
    "ownerId" TEXT NOT NULL,
    "triggerId" TEXT,
    "target" TEXT NOT NULL,
    "body" TEXT NOT NULL,
    "state" TEXT NOT NULL DEFAULT 'pending',
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "nextAt" DATETIME,
    "begunAt" DATETIME,
    "error" TEXT,
    "sentAt" DATETIME,
    "createdAt" DATETIME NOT NULL DEFAULT CURRENT_TIMESTAMP
);

-- CreateIndex
CREATE INDEX "trigger_ownerId_idx" ON "trigger"("ownerId");

-- CreateIndex
CREATE INDEX "trigger_agentId_idx" ON "trigger"("agentId");

-- CreateIndex
CREATE INDEX "trigger_due_idx" ON "trigger"("nextDueAt") WHERE ("nextDueAt" IS NOT NULL);

-- CreateIndex
CREATE UNIQUE INDEX "trigger_config_key" ON "trigger"("agentId", "name") WHERE ("fromConfig" = true);

-- CreateIndex
CREATE INDEX "firing_triggerId_dueAt_id_idx" ON "firing"("triggerId", "dueAt", "id");

-- CreateIndex
CREATE INDEX "firing_runId_idx" ON "firing"("runId");

-- CreateIndex
CREATE INDEX "firing_open_idx" ON "firing"("createdAt") WHERE (("state" = 'claimed') OR (("state" = 'started') AND ("outcome" IS NULL)));

-- CreateIndex
CREATE UNIQUE INDEX "firing_triggerId_key_key" ON "firing"("triggerId", "key");

-- CreateIndex
CREATE INDEX "delivery_runId_idx" ON "delivery"("runId");

-- CreateIndex
CREATE INDEX "delivery_ownerId_state_createdAt_id_idx" ON "delivery"("ownerId", "state", "createdAt", "id");

-- CreateIndex
CREATE INDEX "delivery_due_idx" ON "delivery"("nextAt") WHERE ("nextAt" IS NOT NULL);

-- AlterTable
ALTER TABLE "file_version" ADD COLUMN "before" TEXT;
ALTER TABLE "file_version" ADD COLUMN "seq" INTEGER;
ALTER TABLE "file_version" ADD COLUMN "step" INTEGER;

-- AlterTable
ALTER TABLE "message" ADD COLUMN "model" TEXT;
ALTER TABLE "message" ADD COLUMN "step" INTEGER;

-- AlterTable
ALTER TABLE "run" ADD COLUMN "endReason" TEXT;

-- AlterTable
ALTER TABLE "trace" ADD COLUMN "apiKeyId" TEXT;
ALTER TABLE "trace" ADD COLUMN "endReason" TEXT;
ALTER TABLE "trace" ADD COLUMN "errorCode" TEXT;
ALTER TABLE "trace" ADD COLUMN "firstLine" TEXT;
ALTER TABLE "trace" ADD COLUMN "hasToolError" BOOLEAN;
ALTER TABLE "trace" ADD COLUMN "problemKey" TEXT;
ALTER TABLE "trace" ADD COLUMN "projectId" TEXT;

-- CreateTable
CREATE TABLE "call" (
    "runId" TEXT NOT NULL,
    "toolCallId" TEXT NOT NULL,
    "traceId" TEXT NOT NULL,
    "rootRunId" TEXT NOT NULL,
    "threadId" TEXT NOT NULL,
    "ownerId" TEXT NOT NULL,
    "agentId" TEXT NOT NULL,
    "agentVersionId" TEXT NOT NULL,
    "agentVersion" INTEGER NOT NULL,
    "step" INTEGER NOT NULL,
    "spanId" TEXT NOT NULL,
    "tool" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "gist" TEXT NOT NULL,
    "args" TEXT,
    "argsHash" TEXT NOT NULL,
    "annotations" TEXT NOT NULL,
    "aliases" TEXT NOT NULL,
    "pathArgument" TEXT,
    "workdir" TEXT,
    "runsIn" TEXT,
    "hadNetwork" BOOLEAN,
    "mode" TEXT,
    "verdict" TEXT,
    "verdictBy" TEXT,
    "rule" TEXT,
    "grantId" TEXT,
    "unknownAddress" TEXT,
    "decision" TEXT,
    "decidedBy" TEXT,
    "decidedVia" TEXT,
    "decisionReason" TEXT,
    "status" TEXT NOT NULL,
    "error" TEXT,
    "problemKey" TEXT,
    "coerced" TEXT,
    "startedAt" DATETIME NOT NULL,
    "endedAt" DATETIME,

    PRIMARY KEY ("runId", "toolCallId")
);

-- CreateIndex
CREATE INDEX "call_traceId_idx" ON "call"("traceId");

-- CreateIndex
CREATE INDEX "call_agentId_startedAt_idx" ON "call"("agentId", "startedAt");

-- CreateIndex
CREATE INDEX "call_ownerId_startedAt_idx" ON "call"("ownerId", "startedAt");

-- CreateIndex
CREATE UNIQUE INDEX "file_version_workspaceId_seq_key" ON "file_version"("workspaceId", "seq");

-- Since 0.2.0

-- DropIndex
DROP INDEX "grant_threadId_tool_argsHash_key";

-- AlterTable
ALTER TABLE "approval" ADD COLUMN     "grantId" TEXT,
ADD COLUMN     "rule" TEXT;

-- AlterTable
ALTER TABLE "memory_version" ADD COLUMN     "lineHashes" TEXT,
ALTER COLUMN "blobHash" DROP NOT NULL;

-- AlterTable
ALTER TABLE "score" ADD COLUMN     "correction" TEXT;

-- CreateTable
CREATE TABLE "run_step" (
    "runId" TEXT NOT NULL,
    "step" INTEGER NOT NULL,
    "traceId" TEXT NOT NULL,
    "workspaceId" TEXT,
    "readSeq" INTEGER,
    "promptHash" TEXT,
    "toolsHash" TEXT,
    "rulesHash" TEXT,
    "grants" TEXT,
    "todosHash" TEXT,
    "summaryHash" TEXT,
    "preparedHash" TEXT,
    "startedAt" TIMESTAMP(3) NOT NULL,

    CONSTRAINT "run_step_pkey" PRIMARY KEY ("runId","step")
);

-- CreateIndex
CREATE INDEX "run_step_traceId_idx" ON "run_step"("traceId");

-- CreateIndex
CREATE UNIQUE INDEX "grant_in_force_key" ON "grant"("threadId", "tool", "argsHash") WHERE ("revokedAt" IS NULL);

-- Since 0.2.0

-- DropIndex
DROP INDEX "grant_threadId_tool_argsHash_key";

-- AlterTable
ALTER TABLE "approval" ADD COLUMN "grantId" TEXT;
ALTER TABLE "approval" ADD COLUMN "rule" TEXT;

-- AlterTable
ALTER TABLE "score" ADD COLUMN "correction" TEXT;

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
    "startedAt" DATETIME NOT NULL,

    PRIMARY KEY ("runId", "step")
);

-- RedefineTables
PRAGMA defer_foreign_keys=ON;
PRAGMA foreign_keys=OFF;
CREATE TABLE "new_memory_version" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "workspaceId" TEXT NOT NULL,
    "agentId" TEXT NOT NULL,
    "ownerId" TEXT,
    "path" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "version" INTEGER NOT NULL,
    "blobHash" TEXT,
    "lineHashes" TEXT,
    "author" TEXT NOT NULL,
    "authorId" TEXT,
    "runId" TEXT,
    "spanId" TEXT,
    "createdAt" DATETIME NOT NULL DEFAULT CURRENT_TIMESTAMP
);
INSERT INTO "new_memory_version" ("agentId", "author", "authorId", "blobHash", "createdAt", "id", "kind", "ownerId", "path", "runId", "spanId", "version", "workspaceId") SELECT "agentId", "author", "authorId", "blobHash", "createdAt", "id", "kind", "ownerId", "path", "runId", "spanId", "version", "workspaceId" FROM "memory_version";
DROP TABLE "memory_version";
ALTER TABLE "new_memory_version" RENAME TO "memory_version";
CREATE INDEX "memory_version_blobHash_idx" ON "memory_version"("blobHash");
CREATE INDEX "memory_version_createdAt_idx" ON "memory_version"("createdAt");
CREATE UNIQUE INDEX "memory_version_workspaceId_path_version_key" ON "memory_version"("workspaceId", "path", "version");
PRAGMA foreign_keys=ON;
PRAGMA defer_foreign_keys=OFF;

-- CreateIndex
CREATE INDEX "run_step_traceId_idx" ON "run_step"("traceId");

-- CreateIndex
CREATE UNIQUE INDEX "grant_in_force_key" ON "grant"("threadId", "tool", "argsHash") WHERE ("revokedAt" IS NULL);

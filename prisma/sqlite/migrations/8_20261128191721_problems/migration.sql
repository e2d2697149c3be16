-- Since 0.2.0

-- CreateTable
CREATE TABLE "problem" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "agentId" TEXT NOT NULL,
    "key" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "tool" TEXT,
    "state" TEXT NOT NULL DEFAULT 'open',
    "resolvedInVersion" INTEGER,
    "ignoredRuns" INTEGER,
    "firstVersion" INTEGER,
    "firstSeenAt" DATETIME NOT NULL,
    "lastSeenAt" DATETIME NOT NULL
);

-- CreateIndex
CREATE INDEX "call_problem_idx" ON "call"("endedAt") WHERE ("problemKey" IS NOT NULL);

-- CreateIndex
CREATE INDEX "call_denied_idx" ON "call"("endedAt") WHERE (("verdict" = 'deny') OR ("decision" = 'deny'));

-- CreateIndex
CREATE INDEX "trace_problem_idx" ON "trace"("endedAt") WHERE ("problemKey" IS NOT NULL);

-- Since 0.2.0

-- CreateTable
CREATE TABLE "problem" (
    "id" TEXT NOT NULL,
    "agentId" TEXT NOT NULL,
    "key" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "tool" TEXT,
    "state" TEXT NOT NULL DEFAULT 'open',
    "resolvedInVersion" INTEGER,
    "ignoredRuns" INTEGER,
    "firstVersion" INTEGER,
    "firstSeenAt" TIMESTAMP(3) NOT NULL,
    "lastSeenAt" TIMESTAMP(3) NOT NULL,

    CONSTRAINT "problem_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "call_problem_idx" ON "call"("endedAt") WHERE ("problemKey" IS NOT NULL);

-- CreateIndex
CREATE INDEX "call_denied_idx" ON "call"("endedAt") WHERE (("verdict" = 'deny') OR ("decision" = 'deny'));

-- CreateIndex
CREATE INDEX "trace_problem_idx" ON "trace"("endedAt") WHERE ("problemKey" IS NOT NULL);

-- CreateTable
CREATE TABLE "follow_up_call" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "runId" TEXT NOT NULL,
    "inputTokens" INTEGER NOT NULL,
    "outputTokens" INTEGER NOT NULL,
    "costUsd" REAL,
    "createdAt" DATETIME NOT NULL
);

-- CreateIndex
CREATE INDEX "follow_up_call_createdAt_idx" ON "follow_up_call"("createdAt");

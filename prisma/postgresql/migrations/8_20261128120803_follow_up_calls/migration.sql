-- CreateTable
CREATE TABLE "follow_up_call" (
    "id" TEXT NOT NULL,
    "runId" TEXT NOT NULL,
    "inputTokens" INTEGER NOT NULL,
    "outputTokens" INTEGER NOT NULL,
    "costUsd" DOUBLE PRECISION,
    "createdAt" TIMESTAMP(3) NOT NULL,

    CONSTRAINT "follow_up_call_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "follow_up_call_createdAt_idx" ON "follow_up_call"("createdAt");

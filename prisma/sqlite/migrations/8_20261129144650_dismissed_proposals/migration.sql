-- Since 0.2.0

-- CreateTable
CREATE TABLE "dismissed_proposal" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "agentId" TEXT NOT NULL,
    "rule" TEXT NOT NULL,
    "dismissedById" TEXT NOT NULL,
    "createdAt" DATETIME NOT NULL DEFAULT CURRENT_TIMESTAMP
);

-- CreateIndex
CREATE INDEX "dismissed_proposal_agentId_idx" ON "dismissed_proposal"("agentId");

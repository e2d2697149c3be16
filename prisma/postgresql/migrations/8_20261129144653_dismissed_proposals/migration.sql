-- Since 0.2.0

-- CreateTable
CREATE TABLE "dismissed_proposal" (
    "id" TEXT NOT NULL,
    "agentId" TEXT NOT NULL,
    "rule" TEXT NOT NULL,
    "dismissedById" TEXT NOT NULL,
    "createdAt" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "dismissed_proposal_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "dismissed_proposal_agentId_idx" ON "dismissed_proposal"("agentId");

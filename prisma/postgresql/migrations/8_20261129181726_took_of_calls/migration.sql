-- Since 0.2.0

-- AlterTable
ALTER TABLE "call" ADD COLUMN     "tookMs" INTEGER;

-- CreateIndex
CREATE INDEX "call_took_idx" ON "call"("agentId", "tool", "startedAt", "tookMs", "ownerId") WHERE ("tookMs" IS NOT NULL);

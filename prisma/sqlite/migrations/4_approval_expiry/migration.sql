-- AlterTable
ALTER TABLE "approval" ADD COLUMN "decidedVia" TEXT;
ALTER TABLE "approval" ADD COLUMN "expiresAt" DATETIME;
ALTER TABLE "approval" ADD COLUMN "runsIn" TEXT;

-- CreateIndex
CREATE INDEX "approval_status_expiresAt_idx" ON "approval"("status", "expiresAt");

-- AlterTable
ALTER TABLE "approval" ADD COLUMN     "decidedVia" TEXT,
ADD COLUMN     "expiresAt" TIMESTAMP(3),
ADD COLUMN     "runsIn" TEXT;

-- CreateIndex
CREATE INDEX "approval_status_expiresAt_idx" ON "approval"("status", "expiresAt");

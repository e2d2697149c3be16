-- AlterTable
ALTER TABLE "firing" ADD COLUMN "pauseMs" INTEGER;
ALTER TABLE "firing" ADD COLUMN "said" TEXT;
ALTER TABLE "firing" ADD COLUMN "stoppedBy" TEXT;

-- AlterTable
ALTER TABLE "trigger" ADD COLUMN "state" TEXT;

-- CreateIndex
CREATE UNIQUE INDEX "trigger_heartbeat_key" ON "trigger"("ownerId", "agentId") WHERE ("kind" = 'heartbeat');

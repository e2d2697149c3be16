-- AlterTable
ALTER TABLE "board" ADD COLUMN "apiKeyId" TEXT;

-- AlterTable
ALTER TABLE "board_card" ADD COLUMN "apiKeyId" TEXT;

-- AlterTable
ALTER TABLE "channel_code" ADD COLUMN "apiKeyId" TEXT;

-- AlterTable
ALTER TABLE "firing" ADD COLUMN "apiKeyId" TEXT;

-- AlterTable
ALTER TABLE "trigger" ADD COLUMN "apiKeyId" TEXT;

-- CreateIndex
CREATE INDEX "trigger_apiKeyId_idx" ON "trigger"("apiKeyId");

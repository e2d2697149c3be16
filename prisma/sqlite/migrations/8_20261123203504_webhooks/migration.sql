-- AlterTable
ALTER TABLE "delivery" ADD COLUMN "event" TEXT;
ALTER TABLE "delivery" ADD COLUMN "webhookId" TEXT;

-- AlterTable
ALTER TABLE "firing" ADD COLUMN "prompt" TEXT;

-- CreateTable
CREATE TABLE "delivery_attempt" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "deliveryId" TEXT NOT NULL,
    "at" DATETIME NOT NULL,
    "tookMs" INTEGER NOT NULL,
    "status" INTEGER,
    "error" TEXT,
    "headers" TEXT NOT NULL,
    "response" TEXT NOT NULL,
    CONSTRAINT "delivery_attempt_deliveryId_fkey" FOREIGN KEY ("deliveryId") REFERENCES "delivery" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateTable
CREATE TABLE "webhook" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "name" TEXT NOT NULL,
    "url" TEXT NOT NULL,
    "events" TEXT NOT NULL,
    "agentId" TEXT,
    "enabled" BOOLEAN NOT NULL DEFAULT true,
    "createdById" TEXT NOT NULL,
    "createdAt" DATETIME NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updatedAt" DATETIME NOT NULL
);

-- CreateTable
CREATE TABLE "webhook_secret" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "webhookId" TEXT NOT NULL,
    "number" INTEGER NOT NULL,
    "sealed" TEXT NOT NULL,
    "createdAt" DATETIME NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expiresAt" DATETIME
);

-- CreateIndex
CREATE INDEX "delivery_attempt_deliveryId_at_id_idx" ON "delivery_attempt"("deliveryId", "at", "id");

-- CreateIndex
CREATE UNIQUE INDEX "webhook_secret_webhookId_number_key" ON "webhook_secret"("webhookId", "number");

-- CreateIndex
CREATE INDEX "delivery_webhook_idx" ON "delivery"("webhookId", "createdAt", "id") WHERE ("webhookId" IS NOT NULL);

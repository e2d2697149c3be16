-- AlterTable
ALTER TABLE "user" ADD COLUMN "timeZone" TEXT;

-- CreateTable
CREATE TABLE "notification_choice" (
    "userId" TEXT NOT NULL PRIMARY KEY,
    "choices" TEXT NOT NULL,
    "isOn" BOOLEAN NOT NULL,
    "updatedAt" DATETIME NOT NULL,
    CONSTRAINT "notification_choice_userId_fkey" FOREIGN KEY ("userId") REFERENCES "user" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateTable
CREATE TABLE "push_subscription" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "userId" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "endpoint" TEXT NOT NULL,
    "p256dh" TEXT NOT NULL,
    "auth" TEXT NOT NULL,
    "createdAt" DATETIME NOT NULL,
    "lastSentAt" DATETIME,
    CONSTRAINT "push_subscription_userId_fkey" FOREIGN KEY ("userId") REFERENCES "user" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateTable
CREATE TABLE "decision_token" (
    "hash" TEXT NOT NULL PRIMARY KEY,
    "approvalId" TEXT NOT NULL,
    "userId" TEXT NOT NULL,
    "mayAllow" BOOLEAN NOT NULL,
    "expiresAt" DATETIME NOT NULL,
    "usedAt" DATETIME
);

-- CreateIndex
CREATE UNIQUE INDEX "push_subscription_endpoint_key" ON "push_subscription"("endpoint");

-- CreateIndex
CREATE INDEX "push_subscription_userId_idx" ON "push_subscription"("userId");

-- CreateIndex
CREATE INDEX "decision_token_expiresAt_idx" ON "decision_token"("expiresAt");

-- CreateTable
CREATE TABLE "channel" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "kind" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "agentId" TEXT NOT NULL,
    "credentials" TEXT NOT NULL,
    "ending" TEXT,
    "receives" TEXT NOT NULL,
    "apiRoot" TEXT,
    "enabled" BOOLEAN NOT NULL DEFAULT true,
    "username" TEXT,
    "testedAt" DATETIME,
    "testedMs" INTEGER,
    "offset" TEXT,
    "leaseHolder" TEXT,
    "leaseUntil" DATETIME,
    "connectedAt" DATETIME,
    "failedAt" DATETIME,
    "error" TEXT,
    "lastUpdateAt" DATETIME,
    "waitedAt" DATETIME,
    "waitedSeconds" INTEGER,
    "createdById" TEXT NOT NULL,
    "createdAt" DATETIME NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updatedAt" DATETIME NOT NULL
);

-- CreateTable
CREATE TABLE "channel_link" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "userId" TEXT NOT NULL,
    "channelId" TEXT NOT NULL,
    "chatKind" TEXT NOT NULL,
    "externalUser" TEXT NOT NULL,
    "externalChat" TEXT NOT NULL,
    "senderName" TEXT NOT NULL,
    "chatName" TEXT NOT NULL,
    "agentId" TEXT NOT NULL,
    "threadId" TEXT,
    "verifiedAt" DATETIME NOT NULL,
    "lastUsedAt" DATETIME,
    "secretHash" TEXT,
    CONSTRAINT "channel_link_userId_fkey" FOREIGN KEY ("userId") REFERENCES "user" ("id") ON DELETE CASCADE ON UPDATE CASCADE,
    CONSTRAINT "channel_link_channelId_fkey" FOREIGN KEY ("channelId") REFERENCES "channel" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateTable
CREATE TABLE "channel_code" (
    "hash" TEXT NOT NULL PRIMARY KEY,
    "channelId" TEXT NOT NULL,
    "userId" TEXT NOT NULL,
    "expiresAt" DATETIME NOT NULL,
    "usedAt" DATETIME,
    "linkId" TEXT,
    "createdAt" DATETIME NOT NULL DEFAULT CURRENT_TIMESTAMP,
    CONSTRAINT "channel_code_channelId_fkey" FOREIGN KEY ("channelId") REFERENCES "channel" ("id") ON DELETE CASCADE ON UPDATE CASCADE,
    CONSTRAINT "channel_code_userId_fkey" FOREIGN KEY ("userId") REFERENCES "user" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateTable
CREATE TABLE "channel_message" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "channelId" TEXT NOT NULL,
    "externalChat" TEXT NOT NULL,
    "messageId" TEXT NOT NULL,
    "deliveryId" TEXT NOT NULL,
    "part" INTEGER NOT NULL,
    "userId" TEXT NOT NULL,
    "threadId" TEXT NOT NULL,
    "runId" TEXT NOT NULL,
    "approvalId" TEXT,
    "isOpen" BOOLEAN NOT NULL DEFAULT false,
    "createdAt" DATETIME NOT NULL DEFAULT CURRENT_TIMESTAMP,
    CONSTRAINT "channel_message_channelId_fkey" FOREIGN KEY ("channelId") REFERENCES "channel" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateIndex
CREATE UNIQUE INDEX "channel_link_secretHash_key" ON "channel_link"("secretHash");

-- CreateIndex
CREATE INDEX "channel_link_userId_lastUsedAt_idx" ON "channel_link"("userId", "lastUsedAt");

-- CreateIndex
CREATE UNIQUE INDEX "channel_link_channelId_externalChat_externalUser_key" ON "channel_link"("channelId", "externalChat", "externalUser");

-- CreateIndex
CREATE INDEX "channel_code_userId_createdAt_idx" ON "channel_code"("userId", "createdAt");

-- CreateIndex
CREATE INDEX "channel_message_channelId_externalChat_messageId_idx" ON "channel_message"("channelId", "externalChat", "messageId");

-- CreateIndex
CREATE INDEX "channel_message_open_idx" ON "channel_message"("approvalId") WHERE ("isOpen" = true);

-- CreateIndex
CREATE UNIQUE INDEX "channel_message_deliveryId_part_key" ON "channel_message"("deliveryId", "part");

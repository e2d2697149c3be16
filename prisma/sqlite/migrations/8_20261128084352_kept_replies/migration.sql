-- CreateTable
CREATE TABLE "kept_reply" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "userId" TEXT NOT NULL,
    "bodyHash" TEXT NOT NULL,
    "status" INTEGER NOT NULL,
    "body" TEXT NOT NULL,
    "createdAt" DATETIME NOT NULL,
    "expiresAt" DATETIME NOT NULL
);

-- CreateIndex
CREATE INDEX "kept_reply_userId_idx" ON "kept_reply"("userId");

-- CreateIndex
CREATE INDEX "kept_reply_expiresAt_idx" ON "kept_reply"("expiresAt");

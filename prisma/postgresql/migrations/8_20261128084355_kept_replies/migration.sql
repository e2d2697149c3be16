-- CreateTable
CREATE TABLE "kept_reply" (
    "id" TEXT NOT NULL,
    "userId" TEXT NOT NULL,
    "bodyHash" TEXT NOT NULL,
    "status" INTEGER NOT NULL,
    "body" TEXT NOT NULL,
    "createdAt" TIMESTAMP(3) NOT NULL,
    "expiresAt" TIMESTAMP(3) NOT NULL,

    CONSTRAINT "kept_reply_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "kept_reply_userId_idx" ON "kept_reply"("userId");

-- CreateIndex
CREATE INDEX "kept_reply_expiresAt_idx" ON "kept_reply"("expiresAt");

-- CreateTable
CREATE TABLE "share" (
    "id" TEXT NOT NULL,
    "threadId" TEXT NOT NULL,
    "tokenHash" TEXT NOT NULL,
    "content" TEXT NOT NULL,
    "messages" INTEGER NOT NULL,
    "include" TEXT NOT NULL,
    "expiresAt" TIMESTAMP(3),
    "createdAt" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "share_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE UNIQUE INDEX "share_threadId_key" ON "share"("threadId");

-- CreateIndex
CREATE UNIQUE INDEX "share_tokenHash_key" ON "share"("tokenHash");

-- CreateIndex
CREATE INDEX "share_expiresAt_idx" ON "share"("expiresAt");

-- AddForeignKey
ALTER TABLE "share" ADD CONSTRAINT "share_threadId_fkey" FOREIGN KEY ("threadId") REFERENCES "thread"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AlterTable
ALTER TABLE "message" ADD COLUMN "images" TEXT;

-- CreateTable
CREATE TABLE "thread_image" (
    "threadId" TEXT NOT NULL,
    "blobHash" TEXT NOT NULL,
    "mediaType" TEXT NOT NULL,
    "createdAt" DATETIME NOT NULL DEFAULT CURRENT_TIMESTAMP,

    PRIMARY KEY ("threadId", "blobHash"),
    CONSTRAINT "thread_image_threadId_fkey" FOREIGN KEY ("threadId") REFERENCES "thread" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateIndex
CREATE INDEX "thread_image_blobHash_idx" ON "thread_image"("blobHash");

-- AlterTable
ALTER TABLE "message" ADD COLUMN     "images" TEXT;

-- CreateTable
CREATE TABLE "thread_image" (
    "threadId" TEXT NOT NULL,
    "blobHash" TEXT NOT NULL,
    "mediaType" TEXT NOT NULL,
    "createdAt" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "thread_image_pkey" PRIMARY KEY ("threadId","blobHash")
);

-- CreateIndex
CREATE INDEX "thread_image_blobHash_idx" ON "thread_image"("blobHash");

-- AddForeignKey
ALTER TABLE "thread_image" ADD CONSTRAINT "thread_image_threadId_fkey" FOREIGN KEY ("threadId") REFERENCES "thread"("id") ON DELETE CASCADE ON UPDATE CASCADE;

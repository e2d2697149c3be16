-- Since 0.2.0

-- CreateTable
CREATE TABLE "note" (
    "id" TEXT NOT NULL,
    "traceId" TEXT NOT NULL,
    "spanId" TEXT,
    "text" TEXT NOT NULL,
    "authorId" TEXT NOT NULL,
    "createdAt" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "editedAt" TIMESTAMP(3),

    CONSTRAINT "note_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "note_traceId_createdAt_id_idx" ON "note"("traceId", "createdAt", "id");

-- CreateIndex
CREATE INDEX "note_authorId_idx" ON "note"("authorId");

-- AddForeignKey
ALTER TABLE "note" ADD CONSTRAINT "note_traceId_fkey" FOREIGN KEY ("traceId") REFERENCES "trace"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "note" ADD CONSTRAINT "note_authorId_fkey" FOREIGN KEY ("authorId") REFERENCES "user"("id") ON DELETE CASCADE ON UPDATE CASCADE;

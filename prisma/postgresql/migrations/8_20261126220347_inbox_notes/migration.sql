-- CreateTable
CREATE TABLE "inbox_note" (
    "id" TEXT NOT NULL,
    "userId" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "title" TEXT NOT NULL,
    "detail" TEXT NOT NULL,
    "source" TEXT NOT NULL,
    "path" TEXT NOT NULL,
    "createdAt" TIMESTAMP(3) NOT NULL,
    "doneAt" TIMESTAMP(3),

    CONSTRAINT "inbox_note_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "inbox_note_userId_doneAt_createdAt_id_idx" ON "inbox_note"("userId", "doneAt", "createdAt", "id");

-- AddForeignKey
ALTER TABLE "inbox_note" ADD CONSTRAINT "inbox_note_userId_fkey" FOREIGN KEY ("userId") REFERENCES "user"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- Since 0.2.0

-- CreateTable
CREATE TABLE "note" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "traceId" TEXT NOT NULL,
    "spanId" TEXT,
    "text" TEXT NOT NULL,
    "authorId" TEXT NOT NULL,
    "createdAt" DATETIME NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "editedAt" DATETIME,
    CONSTRAINT "note_traceId_fkey" FOREIGN KEY ("traceId") REFERENCES "trace" ("id") ON DELETE CASCADE ON UPDATE CASCADE,
    CONSTRAINT "note_authorId_fkey" FOREIGN KEY ("authorId") REFERENCES "user" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateIndex
CREATE INDEX "note_traceId_createdAt_id_idx" ON "note"("traceId", "createdAt", "id");

-- CreateIndex
CREATE INDEX "note_authorId_idx" ON "note"("authorId");

-- CreateTable
CREATE TABLE "score" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "traceId" TEXT NOT NULL,
    "threadId" TEXT NOT NULL,
    "runId" TEXT NOT NULL,
    "spanId" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "value" REAL NOT NULL,
    "why" TEXT,
    "authorId" TEXT NOT NULL,
    "createdAt" DATETIME NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updatedAt" DATETIME NOT NULL,
    CONSTRAINT "score_traceId_fkey" FOREIGN KEY ("traceId") REFERENCES "trace" ("id") ON DELETE CASCADE ON UPDATE CASCADE,
    CONSTRAINT "score_authorId_fkey" FOREIGN KEY ("authorId") REFERENCES "user" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateTable
CREATE TABLE "saved_prompt" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "ownerId" TEXT,
    "name" TEXT NOT NULL,
    "description" TEXT NOT NULL DEFAULT '',
    "text" TEXT NOT NULL,
    "createdAt" DATETIME NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updatedAt" DATETIME NOT NULL,
    CONSTRAINT "saved_prompt_ownerId_fkey" FOREIGN KEY ("ownerId") REFERENCES "user" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateIndex
CREATE INDEX "score_traceId_idx" ON "score"("traceId");

-- CreateIndex
CREATE INDEX "score_threadId_idx" ON "score"("threadId");

-- CreateIndex
CREATE INDEX "score_authorId_idx" ON "score"("authorId");

-- CreateIndex
CREATE UNIQUE INDEX "score_runId_spanId_name_authorId_key" ON "score"("runId", "spanId", "name", "authorId");

-- CreateIndex
CREATE UNIQUE INDEX "saved_prompt_ownerId_name_key" ON "saved_prompt"("ownerId", "name");

-- CreateIndex
CREATE UNIQUE INDEX "saved_prompt_shared_key" ON "saved_prompt"("name") WHERE ("ownerId" IS NULL);

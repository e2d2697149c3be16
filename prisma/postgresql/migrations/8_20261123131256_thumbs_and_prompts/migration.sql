-- CreateTable
CREATE TABLE "score" (
    "id" TEXT NOT NULL,
    "traceId" TEXT NOT NULL,
    "threadId" TEXT NOT NULL,
    "runId" TEXT NOT NULL,
    "spanId" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "value" DOUBLE PRECISION NOT NULL,
    "why" TEXT,
    "authorId" TEXT NOT NULL,
    "createdAt" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updatedAt" TIMESTAMP(3) NOT NULL,

    CONSTRAINT "score_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "saved_prompt" (
    "id" TEXT NOT NULL,
    "ownerId" TEXT,
    "name" TEXT NOT NULL,
    "description" TEXT NOT NULL DEFAULT '',
    "text" TEXT NOT NULL,
    "createdAt" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updatedAt" TIMESTAMP(3) NOT NULL,

    CONSTRAINT "saved_prompt_pkey" PRIMARY KEY ("id")
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

-- AddForeignKey
ALTER TABLE "score" ADD CONSTRAINT "score_traceId_fkey" FOREIGN KEY ("traceId") REFERENCES "trace"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "score" ADD CONSTRAINT "score_authorId_fkey" FOREIGN KEY ("authorId") REFERENCES "user"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "saved_prompt" ADD CONSTRAINT "saved_prompt_ownerId_fkey" FOREIGN KEY ("ownerId") REFERENCES "user"("id") ON DELETE CASCADE ON UPDATE CASCADE;

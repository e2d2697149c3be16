-- DropIndex
DROP INDEX "run_status_leaseUntil_idx";

-- DropIndex
DROP INDEX "run_threadId_createdAt_idx";

-- AlterTable
ALTER TABLE "run" ADD COLUMN "position" INTEGER NOT NULL DEFAULT 0;

-- Runs of earlier versions keep the order in which they were shown.
UPDATE "run" SET "position" = "known"."position"
FROM (SELECT "id", row_number() OVER (PARTITION BY "threadId" ORDER BY "createdAt", "id") AS "position" FROM "run") AS "known"
WHERE "known"."id" = "run"."id";

-- CreateIndex
CREATE INDEX "run_threadId_position_idx" ON "run"("threadId", "position");

-- CreateIndex
CREATE INDEX "run_open_thread_idx" ON "run"("threadId", "position") WHERE ("endedAt" IS NULL);

-- CreateIndex
CREATE INDEX "run_open_idx" ON "run"("status", "ownerId", "createdAt") WHERE ("endedAt" IS NULL);

-- CreateIndex
CREATE INDEX "run_unreported_idx" ON "run"("parentRunId") WHERE (("parentRunId" IS NOT NULL) AND (NOT "isReported") AND ("endedAt" IS NOT NULL));

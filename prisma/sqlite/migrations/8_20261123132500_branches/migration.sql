-- AlterTable
ALTER TABLE "thread" ADD COLUMN "leafRunId" TEXT;
ALTER TABLE "thread" ADD COLUMN "isBranched" BOOLEAN NOT NULL DEFAULT false;
ALTER TABLE "run" ADD COLUMN "afterRunId" TEXT;
ALTER TABLE "run" ADD COLUMN "regeneratesRunId" TEXT;
ALTER TABLE "run" ADD COLUMN "todos" TEXT;

-- CreateTable
CREATE TABLE "compaction" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "threadId" TEXT NOT NULL,
    "afterRunId" TEXT NOT NULL,
    "cutMessageId" TEXT,
    "summary" TEXT,
    "count" INTEGER NOT NULL,
    "flushed" BOOLEAN NOT NULL DEFAULT false,
    "createdAt" DATETIME NOT NULL DEFAULT CURRENT_TIMESTAMP,
    CONSTRAINT "compaction_threadId_fkey" FOREIGN KEY ("threadId") REFERENCES "thread" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateIndex
CREATE INDEX "compaction_threadId_count_idx" ON "compaction"("threadId", "count");

-- CreateIndex
CREATE INDEX "run_todos_idx" ON "run"("threadId", "position") WHERE (todos IS NOT NULL);

-- A thread of before is one path: each run follows the one before it, and the last is the chosen leaf.
UPDATE "run" SET "afterRunId" = (
    SELECT p."id" FROM "run" p
    WHERE p."threadId" = "run"."threadId" AND p."parentRunId" IS NULL AND p."position" < "run"."position"
    ORDER BY p."position" DESC LIMIT 1
) WHERE "parentRunId" IS NULL;

UPDATE "thread" SET "leafRunId" = (
    SELECT r."id" FROM "run" r
    WHERE r."threadId" = "thread"."id" AND r."parentRunId" IS NULL
    ORDER BY r."position" DESC LIMIT 1
);

-- The compaction of a thread, and whether memory was flushed since.
INSERT INTO "compaction" ("id", "threadId", "afterRunId", "cutMessageId", "summary", "count")
SELECT 'cmp_' || t."id", t."id", t."leafRunId", t."summaryCutId", t."summary", t."compactionCount"
FROM "thread" t WHERE t."summary" IS NOT NULL AND t."summaryCutId" IS NOT NULL AND t."leafRunId" IS NOT NULL;

INSERT INTO "compaction" ("id", "threadId", "afterRunId", "count", "flushed")
SELECT 'flu_' || t."id", t."id", t."leafRunId", t."flushedCycle", true
FROM "thread" t WHERE t."flushedCycle" IS NOT NULL AND t."leafRunId" IS NOT NULL;

-- The plan of a thread belongs to the last run that has ended.
UPDATE "run" SET "todos" = (
    SELECT json_group_array(json_object('id', d."todoId", 'title', d."title", 'status', d."status"))
    FROM (SELECT * FROM "todo" d WHERE d."threadId" = "run"."threadId" ORDER BY d."position") AS d
) WHERE "parentRunId" IS NULL AND "endedAt" IS NOT NULL
    AND EXISTS (SELECT 1 FROM "todo" d WHERE d."threadId" = "run"."threadId")
    AND NOT EXISTS (
        SELECT 1 FROM "run" n WHERE n."threadId" = "run"."threadId" AND n."parentRunId" IS NULL
            AND n."endedAt" IS NOT NULL AND n."position" > "run"."position"
    );

-- DropTable
DROP TABLE "todo";

-- AlterTable
ALTER TABLE "thread" DROP COLUMN "summary";
ALTER TABLE "thread" DROP COLUMN "summaryCutId";
ALTER TABLE "thread" DROP COLUMN "flushedCycle";

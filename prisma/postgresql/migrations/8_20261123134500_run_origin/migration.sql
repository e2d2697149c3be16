-- AlterTable
ALTER TABLE "purged_run" ADD COLUMN "origin" TEXT NOT NULL DEFAULT 'chat';

-- AlterTable
ALTER TABLE "run" ADD COLUMN "origin" TEXT NOT NULL DEFAULT 'chat',
ADD COLUMN "attended" BOOLEAN NOT NULL DEFAULT true;

-- AlterTable
ALTER TABLE "trace" ADD COLUMN "origin" TEXT NOT NULL DEFAULT 'chat',
ADD COLUMN "attended" BOOLEAN NOT NULL DEFAULT true;

-- What is known of the runs of before: subagents, and those that an API key started.
UPDATE "run" SET "origin" = CASE WHEN "parentRunId" IS NOT NULL THEN 'subagent' ELSE 'api' END
  WHERE "parentRunId" IS NOT NULL OR "apiKeyId" IS NOT NULL;
UPDATE "purged_run" SET "origin" = 'api' WHERE "apiKeyId" IS NOT NULL;
UPDATE "trace" SET "origin" = 'api' WHERE "runId" IN (SELECT "id" FROM "run" WHERE "origin" = 'api');

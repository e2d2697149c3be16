-- AlterTable
ALTER TABLE "thread" ADD COLUMN     "cachedReadTokens" INTEGER NOT NULL DEFAULT 0,
ADD COLUMN     "cachedWriteTokens" INTEGER NOT NULL DEFAULT 0,
ADD COLUMN     "costUsd" DOUBLE PRECISION DEFAULT 0,
ADD COLUMN     "inputTokens" INTEGER NOT NULL DEFAULT 0,
ADD COLUMN     "model" TEXT,
ADD COLUMN     "outputTokens" INTEGER NOT NULL DEFAULT 0,
ADD COLUMN     "reasoningTokens" INTEGER NOT NULL DEFAULT 0;

-- What the runs that have ended so far used
UPDATE "thread" SET
    "inputTokens" = coalesce((select sum(r."inputTokens") from "run" r where r."threadId" = "thread"."id" and r."endedAt" is not null), 0),
    "cachedReadTokens" = coalesce((select sum(r."cachedReadTokens") from "run" r where r."threadId" = "thread"."id" and r."endedAt" is not null), 0),
    "cachedWriteTokens" = coalesce((select sum(r."cachedWriteTokens") from "run" r where r."threadId" = "thread"."id" and r."endedAt" is not null), 0),
    "outputTokens" = coalesce((select sum(r."outputTokens") from "run" r where r."threadId" = "thread"."id" and r."endedAt" is not null), 0),
    "reasoningTokens" = coalesce((select sum(r."reasoningTokens") from "run" r where r."threadId" = "thread"."id" and r."endedAt" is not null), 0),
    "costUsd" = case when exists (select 1 from "run" r where r."threadId" = "thread"."id" and r."endedAt" is not null and r."costUsd" is null)
      then null else coalesce((select sum(r."costUsd") from "run" r where r."threadId" = "thread"."id" and r."endedAt" is not null), 0) end,
    "model" = (select t."model" from "trace" t where t."threadId" = "thread"."id" and t."model" is not null
      order by t."startedAt" desc, t."id" desc limit 1);

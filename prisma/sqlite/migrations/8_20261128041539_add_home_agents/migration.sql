-- AlterTable
ALTER TABLE "delivery" ADD COLUMN "homeAgentId" TEXT;

-- AlterTable
ALTER TABLE "thread" ADD COLUMN "homeAgentId" TEXT;

-- AlterTable
ALTER TABLE "trace" ADD COLUMN "homeAgentId" TEXT;

UPDATE "thread" SET "homeAgentId" = (SELECT p."agentId" FROM "thread" p WHERE p."id" = "thread"."parentThreadId")
  WHERE "parentThreadId" IS NOT NULL;
UPDATE "trace" SET "homeAgentId" = (
    SELECT coalesce(t."homeAgentId", t."agentId") FROM "thread" t WHERE t."id" = "trace"."threadId")
  WHERE "agentId" <> (SELECT coalesce(t."homeAgentId", t."agentId") FROM "thread" t WHERE t."id" = "trace"."threadId");
UPDATE "delivery" SET "homeAgentId" = (
    SELECT coalesce(t."homeAgentId", t."agentId") FROM "run" r JOIN "thread" t ON t."id" = r."threadId"
    WHERE r."id" = "delivery"."runId");

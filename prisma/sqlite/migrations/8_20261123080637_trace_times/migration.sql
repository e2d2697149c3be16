-- AlterTable
ALTER TABLE "trace" ADD COLUMN "workedMs" INTEGER;
ALTER TABLE "trace" ADD COLUMN "waitedMs" INTEGER NOT NULL DEFAULT 0;

-- Of runs that have ended, as their rows know it.
UPDATE "trace" SET "waitedMs" = coalesce((SELECT "waitedMs" FROM "run" WHERE "run"."id" = "trace"."runId"), 0)
  WHERE "endedAt" IS NOT NULL;
UPDATE "trace" SET "workedMs" =
    max(0, CAST(round((julianday("endedAt") - julianday("startedAt")) * 86400000) AS INTEGER) - "waitedMs")
  WHERE "endedAt" IS NOT NULL;

-- CreateIndex
CREATE INDEX "trace_workedMs_id_idx" ON "trace"("workedMs", "id");

-- CreateIndex
CREATE INDEX "trace_waitedMs_id_idx" ON "trace"("waitedMs", "id");

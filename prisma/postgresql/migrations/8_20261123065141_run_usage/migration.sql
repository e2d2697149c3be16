-- AlterTable
ALTER TABLE "run" ADD COLUMN     "apiKeyId" TEXT,
ADD COLUMN     "model" TEXT;

-- Runs of earlier versions: the model is that of their trace, where one is kept.
UPDATE "run" SET "model" = "trace"."model" FROM "trace" WHERE "trace"."runId" = "run"."id" AND "trace"."model" IS NOT NULL;

-- CreateIndex
CREATE INDEX "run_root_created_idx" ON "run"("createdAt", "id") WHERE ("depth" = 0);

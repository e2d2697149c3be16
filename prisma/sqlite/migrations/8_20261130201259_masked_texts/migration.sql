-- Since 0.2.0

-- AlterTable
ALTER TABLE "note" ADD COLUMN "masked" TEXT;
ALTER TABLE "note" ADD COLUMN "maskRevision" INTEGER NOT NULL DEFAULT 0;

-- AlterTable
ALTER TABLE "trace" ADD COLUMN "masked" TEXT;
ALTER TABLE "trace" ADD COLUMN "maskRevision" INTEGER NOT NULL DEFAULT 0;

-- AlterTable
ALTER TABLE "transcript_message" ADD COLUMN "masked" TEXT;
ALTER TABLE "transcript_message" ADD COLUMN "maskRevision" INTEGER NOT NULL DEFAULT 0;

-- CreateIndex
CREATE INDEX "note_maskRevision_createdAt_idx" ON "note"("maskRevision", "createdAt" DESC);

-- CreateIndex
CREATE INDEX "trace_maskRevision_startedAt_idx" ON "trace"("maskRevision", "startedAt" DESC);

-- CreateIndex
CREATE INDEX "trace_masked_idx" ON "trace"("id") WHERE ("masked" IS NOT NULL);

-- CreateIndex
CREATE INDEX "transcript_message_maskRevision_createdAt_idx" ON "transcript_message"("maskRevision", "createdAt" DESC);

-- CreateIndex
CREATE INDEX "transcript_message_masked_idx" ON "transcript_message"("runId") WHERE ("masked" IS NOT NULL);

-- What is masked is of the text as it was. In its place stands a token that is another one after each change, so that a
-- text which changes while it is being masked stays to be done.
CREATE TRIGGER "note_mask_after_update" AFTER UPDATE OF "text" ON "note" WHEN new."text" IS NOT old."text" BEGIN
    UPDATE "note" SET "masked" = hex(randomblob(8)), "maskRevision" = 0 WHERE "id" = new."id";
END;

CREATE TRIGGER "trace_mask_after_update" AFTER UPDATE OF "title", "error", "firstLine" ON "trace"
    WHEN new."title" IS NOT old."title" OR new."error" IS NOT old."error" OR new."firstLine" IS NOT old."firstLine" BEGIN
    UPDATE "trace" SET "masked" = hex(randomblob(8)), "maskRevision" = 0 WHERE "id" = new."id";
END;

CREATE TRIGGER "transcript_message_mask_after_update" AFTER UPDATE OF "text" ON "transcript_message" WHEN new."text" IS NOT old."text" BEGIN
    UPDATE "transcript_message" SET "masked" = hex(randomblob(8)), "maskRevision" = 0 WHERE "id" = new."id";
END;

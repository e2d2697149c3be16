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
CREATE FUNCTION search_mask_stale() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
    NEW."masked" := md5(random()::TEXT);
    NEW."maskRevision" := 0;
    RETURN NEW;
END $$;

CREATE TRIGGER "note_mask_before_update" BEFORE UPDATE OF "text" ON "note" FOR EACH ROW
    WHEN (NEW."text" IS DISTINCT FROM OLD."text") EXECUTE FUNCTION search_mask_stale();

CREATE TRIGGER "trace_mask_before_update" BEFORE UPDATE OF "title", "error", "firstLine" ON "trace" FOR EACH ROW
    WHEN (NEW."title" IS DISTINCT FROM OLD."title" OR NEW."error" IS DISTINCT FROM OLD."error"
        OR NEW."firstLine" IS DISTINCT FROM OLD."firstLine") EXECUTE FUNCTION search_mask_stale();

CREATE TRIGGER "transcript_message_mask_before_update" BEFORE UPDATE OF "text" ON "transcript_message" FOR EACH ROW
    WHEN (NEW."text" IS DISTINCT FROM OLD."text") EXECUTE FUNCTION search_mask_stale();

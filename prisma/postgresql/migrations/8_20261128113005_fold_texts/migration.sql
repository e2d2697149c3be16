-- AlterTable
ALTER TABLE "audit_entry" ADD COLUMN "folded" TEXT;

-- AlterTable
ALTER TABLE "thread" ADD COLUMN "folded" TEXT;

-- AlterTable
ALTER TABLE "trace" ADD COLUMN "folded" TEXT;

-- AlterTable
ALTER TABLE "transcript_message" ADD COLUMN "folded" TEXT;

-- Rows with other than ASCII letters whose text is not yet kept without case and accents. The server does that, a little
-- at a time. A change of the text gives the row another token, so that what was made of the earlier text counts no more;
-- new ones come before those that were there already, which have the token 0.
CREATE TABLE "search_unfolded" (
    "kind" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "token" INTEGER NOT NULL,

    CONSTRAINT "search_unfolded_pkey" PRIMARY KEY ("kind", "id")
);
CREATE INDEX "search_unfolded_token_idx" ON "search_unfolded"("token");

CREATE FUNCTION "search_fold_missing"() RETURNS TRIGGER LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO "search_unfolded" VALUES (TG_TABLE_NAME, NEW."id", floor(random() * 1000000000)::INTEGER + 1)
        ON CONFLICT ("kind", "id") DO UPDATE SET "token" = excluded."token";
    RETURN NULL;
END $$;

CREATE FUNCTION "search_fold_stale"() RETURNS TRIGGER LANGUAGE plpgsql AS $$
BEGIN
    NEW."folded" := NULL;
    RETURN NEW;
END $$;

CREATE FUNCTION "search_fold_gone"() RETURNS TRIGGER LANGUAGE plpgsql AS $$
BEGIN
    DELETE FROM "search_unfolded" WHERE "kind" = TG_TABLE_NAME AND "id" = OLD."id";
    RETURN NULL;
END $$;

-- Also where the earlier text had other letters: it may be being folded, and must not be stored after the change.
CREATE TRIGGER "thread_fold_after_insert" AFTER INSERT ON "thread"
    FOR EACH ROW WHEN (octet_length(NEW."title") <> length(NEW."title")) EXECUTE FUNCTION "search_fold_missing"();
CREATE TRIGGER "thread_fold_after_update" AFTER UPDATE OF "title" ON "thread"
    FOR EACH ROW WHEN (octet_length(NEW."title") <> length(NEW."title") OR octet_length(OLD."title") <> length(OLD."title"))
    EXECUTE FUNCTION "search_fold_missing"();
CREATE TRIGGER "thread_fold_before_update" BEFORE UPDATE OF "title" ON "thread"
    FOR EACH ROW EXECUTE FUNCTION "search_fold_stale"();
CREATE TRIGGER "thread_fold_after_delete" AFTER DELETE ON "thread"
    FOR EACH ROW EXECUTE FUNCTION "search_fold_gone"();

CREATE TRIGGER "trace_fold_after_insert" AFTER INSERT ON "trace"
    FOR EACH ROW WHEN (octet_length((coalesce(NEW."title", '') || coalesce(NEW."error", ''))) <> length((coalesce(NEW."title", '') || coalesce(NEW."error", '')))) EXECUTE FUNCTION "search_fold_missing"();
CREATE TRIGGER "trace_fold_after_update" AFTER UPDATE OF "title", "error" ON "trace"
    FOR EACH ROW WHEN (octet_length((coalesce(NEW."title", '') || coalesce(NEW."error", ''))) <> length((coalesce(NEW."title", '') || coalesce(NEW."error", ''))) OR octet_length((coalesce(OLD."title", '') || coalesce(OLD."error", ''))) <> length((coalesce(OLD."title", '') || coalesce(OLD."error", ''))))
    EXECUTE FUNCTION "search_fold_missing"();
CREATE TRIGGER "trace_fold_before_update" BEFORE UPDATE OF "title", "error" ON "trace"
    FOR EACH ROW EXECUTE FUNCTION "search_fold_stale"();
CREATE TRIGGER "trace_fold_after_delete" AFTER DELETE ON "trace"
    FOR EACH ROW EXECUTE FUNCTION "search_fold_gone"();

CREATE TRIGGER "transcript_message_fold_after_insert" AFTER INSERT ON "transcript_message"
    FOR EACH ROW WHEN (octet_length(NEW."text") <> length(NEW."text")) EXECUTE FUNCTION "search_fold_missing"();
CREATE TRIGGER "transcript_message_fold_after_update" AFTER UPDATE OF "text" ON "transcript_message"
    FOR EACH ROW WHEN (octet_length(NEW."text") <> length(NEW."text") OR octet_length(OLD."text") <> length(OLD."text"))
    EXECUTE FUNCTION "search_fold_missing"();
CREATE TRIGGER "transcript_message_fold_before_update" BEFORE UPDATE OF "text" ON "transcript_message"
    FOR EACH ROW EXECUTE FUNCTION "search_fold_stale"();
CREATE TRIGGER "transcript_message_fold_after_delete" AFTER DELETE ON "transcript_message"
    FOR EACH ROW EXECUTE FUNCTION "search_fold_gone"();

CREATE TRIGGER "audit_entry_fold_after_insert" AFTER INSERT ON "audit_entry"
    FOR EACH ROW WHEN (octet_length((coalesce(NEW."details", '') || coalesce(NEW."before", '') || coalesce(NEW."after", ''))) <> length((coalesce(NEW."details", '') || coalesce(NEW."before", '') || coalesce(NEW."after", '')))) EXECUTE FUNCTION "search_fold_missing"();
CREATE TRIGGER "audit_entry_fold_after_update" AFTER UPDATE OF "details", "before", "after" ON "audit_entry"
    FOR EACH ROW WHEN (octet_length((coalesce(NEW."details", '') || coalesce(NEW."before", '') || coalesce(NEW."after", ''))) <> length((coalesce(NEW."details", '') || coalesce(NEW."before", '') || coalesce(NEW."after", ''))) OR octet_length((coalesce(OLD."details", '') || coalesce(OLD."before", '') || coalesce(OLD."after", ''))) <> length((coalesce(OLD."details", '') || coalesce(OLD."before", '') || coalesce(OLD."after", ''))))
    EXECUTE FUNCTION "search_fold_missing"();
CREATE TRIGGER "audit_entry_fold_before_update" BEFORE UPDATE OF "details", "before", "after" ON "audit_entry"
    FOR EACH ROW EXECUTE FUNCTION "search_fold_stale"();
CREATE TRIGGER "audit_entry_fold_after_delete" AFTER DELETE ON "audit_entry"
    FOR EACH ROW EXECUTE FUNCTION "search_fold_gone"();

-- What is there already.
INSERT INTO "search_unfolded" SELECT 'thread', "id", 0 FROM "thread" WHERE octet_length("title") <> length("title");
INSERT INTO "search_unfolded" SELECT 'trace', "id", 0 FROM "trace" WHERE octet_length((coalesce("title", '') || coalesce("error", ''))) <> length((coalesce("title", '') || coalesce("error", '')));
INSERT INTO "search_unfolded" SELECT 'transcript_message', "id", 0 FROM "transcript_message" WHERE octet_length("text") <> length("text");
INSERT INTO "search_unfolded" SELECT 'audit_entry', "id", 0 FROM "audit_entry" WHERE octet_length((coalesce("details", '') || coalesce("before", '') || coalesce("after", ''))) <> length((coalesce("details", '') || coalesce("before", '') || coalesce("after", '')));

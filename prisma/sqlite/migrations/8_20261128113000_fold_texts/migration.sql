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

    PRIMARY KEY ("kind", "id")
) WITHOUT ROWID;
CREATE INDEX "search_unfolded_token_idx" ON "search_unfolded"("token");

CREATE TRIGGER "thread_fold_after_insert" AFTER INSERT ON "thread"
    WHEN length(CAST(new."title" AS BLOB)) <> length(new."title") BEGIN
    INSERT OR REPLACE INTO "search_unfolded" VALUES ('thread', new."id", abs(random() % 1000000000) + 1);
END;

CREATE TRIGGER "thread_fold_after_update" AFTER UPDATE OF "title" ON "thread" BEGIN
    UPDATE "thread" SET "folded" = NULL WHERE "id" = new."id" AND "folded" IS NOT NULL;
    DELETE FROM "search_unfolded" WHERE "kind" = 'thread' AND "id" = new."id";
    INSERT INTO "search_unfolded" SELECT 'thread', new."id", abs(random() % 1000000000) + 1
        WHERE length(CAST(new."title" AS BLOB)) <> length(new."title");
END;

CREATE TRIGGER "thread_fold_after_delete" AFTER DELETE ON "thread" BEGIN
    DELETE FROM "search_unfolded" WHERE "kind" = 'thread' AND "id" = old."id";
END;

CREATE TRIGGER "trace_fold_after_insert" AFTER INSERT ON "trace"
    WHEN length(CAST((coalesce(new."title", '') || coalesce(new."error", '')) AS BLOB)) <> length((coalesce(new."title", '') || coalesce(new."error", ''))) BEGIN
    INSERT OR REPLACE INTO "search_unfolded" VALUES ('trace', new."id", abs(random() % 1000000000) + 1);
END;

CREATE TRIGGER "trace_fold_after_update" AFTER UPDATE OF "title", "error" ON "trace" BEGIN
    UPDATE "trace" SET "folded" = NULL WHERE "id" = new."id" AND "folded" IS NOT NULL;
    DELETE FROM "search_unfolded" WHERE "kind" = 'trace' AND "id" = new."id";
    INSERT INTO "search_unfolded" SELECT 'trace', new."id", abs(random() % 1000000000) + 1
        WHERE length(CAST((coalesce(new."title", '') || coalesce(new."error", '')) AS BLOB)) <> length((coalesce(new."title", '') || coalesce(new."error", '')));
END;

CREATE TRIGGER "trace_fold_after_delete" AFTER DELETE ON "trace" BEGIN
    DELETE FROM "search_unfolded" WHERE "kind" = 'trace' AND "id" = old."id";
END;

CREATE TRIGGER "transcript_message_fold_after_insert" AFTER INSERT ON "transcript_message"
    WHEN length(CAST(new."text" AS BLOB)) <> length(new."text") BEGIN
    INSERT OR REPLACE INTO "search_unfolded" VALUES ('transcript_message', new."id", abs(random() % 1000000000) + 1);
END;

CREATE TRIGGER "transcript_message_fold_after_update" AFTER UPDATE OF "text" ON "transcript_message" BEGIN
    UPDATE "transcript_message" SET "folded" = NULL WHERE "id" = new."id" AND "folded" IS NOT NULL;
    DELETE FROM "search_unfolded" WHERE "kind" = 'transcript_message' AND "id" = new."id";
    INSERT INTO "search_unfolded" SELECT 'transcript_message', new."id", abs(random() % 1000000000) + 1
        WHERE length(CAST(new."text" AS BLOB)) <> length(new."text");
END;

CREATE TRIGGER "transcript_message_fold_after_delete" AFTER DELETE ON "transcript_message" BEGIN
    DELETE FROM "search_unfolded" WHERE "kind" = 'transcript_message' AND "id" = old."id";
END;

CREATE TRIGGER "audit_entry_fold_after_insert" AFTER INSERT ON "audit_entry"
    WHEN length(CAST((coalesce(new."details", '') || coalesce(new."before", '') || coalesce(new."after", '')) AS BLOB)) <> length((coalesce(new."details", '') || coalesce(new."before", '') || coalesce(new."after", ''))) BEGIN
    INSERT OR REPLACE INTO "search_unfolded" VALUES ('audit_entry', new."id", abs(random() % 1000000000) + 1);
END;

CREATE TRIGGER "audit_entry_fold_after_update" AFTER UPDATE OF "details", "before", "after" ON "audit_entry" BEGIN
    UPDATE "audit_entry" SET "folded" = NULL WHERE "id" = new."id" AND "folded" IS NOT NULL;
    DELETE FROM "search_unfolded" WHERE "kind" = 'audit_entry' AND "id" = new."id";
    INSERT INTO "search_unfolded" SELECT 'audit_entry', new."id", abs(random() % 1000000000) + 1
        WHERE length(CAST((coalesce(new."details", '') || coalesce(new."before", '') || coalesce(new."after", '')) AS BLOB)) <> length((coalesce(new."details", '') || coalesce(new."before", '') || coalesce(new."after", '')));
END;

CREATE TRIGGER "audit_entry_fold_after_delete" AFTER DELETE ON "audit_entry" BEGIN
    DELETE FROM "search_unfolded" WHERE "kind" = 'audit_entry' AND "id" = old."id";
END;

-- What is there already.
INSERT INTO "search_unfolded" SELECT 'thread', "id", 0 FROM "thread" WHERE length(CAST("title" AS BLOB)) <> length("title");
INSERT INTO "search_unfolded" SELECT 'trace', "id", 0 FROM "trace" WHERE length(CAST((coalesce("title", '') || coalesce("error", '')) AS BLOB)) <> length((coalesce("title", '') || coalesce("error", '')));
INSERT INTO "search_unfolded" SELECT 'transcript_message', "id", 0 FROM "transcript_message" WHERE length(CAST("text" AS BLOB)) <> length("text");
INSERT INTO "search_unfolded" SELECT 'audit_entry', "id", 0 FROM "audit_entry" WHERE length(CAST((coalesce("details", '') || coalesce("before", '') || coalesce("after", '')) AS BLOB)) <> length((coalesce("details", '') || coalesce("before", '') || coalesce("after", '')));

-- Messages that the index of texts lacks. Splitting a text into its groups takes longer than storing it, so a message
-- only names itself here, and a task adds it to the index; until then a search reads it. No row of the index is here.
CREATE TABLE "search_pending" (
    "messageId" TEXT NOT NULL PRIMARY KEY
) WITHOUT ROWID;

DROP TRIGGER "search_after_insert";
DROP TRIGGER "search_after_delete";
DROP TRIGGER "search_after_update";

CREATE TRIGGER "search_after_insert" AFTER INSERT ON "transcript_message" BEGIN
    INSERT INTO "search_pending" VALUES (new."id");
END;

CREATE TRIGGER "search_after_delete" AFTER DELETE ON "transcript_message" BEGIN
    DELETE FROM "search_pending" WHERE "messageId" = old."id";
    DELETE FROM "search_text" WHERE "rowid" = (SELECT "id" FROM "search_message" WHERE "messageId" = old."id");
    DELETE FROM "search_message" WHERE "messageId" = old."id";
END;

CREATE TRIGGER "search_after_update" AFTER UPDATE OF "text" ON "transcript_message" BEGIN
    DELETE FROM "search_text" WHERE "rowid" = (SELECT "id" FROM "search_message" WHERE "messageId" = old."id");
    DELETE FROM "search_message" WHERE "messageId" = old."id";
    INSERT OR IGNORE INTO "search_pending" VALUES (new."id");
END;

-- What the index lacked already.
INSERT INTO "search_pending"
    SELECT "id" FROM "transcript_message" WHERE "id" NOT IN (SELECT "messageId" FROM "search_message");
DELETE FROM "setting" WHERE "key" = 'search-fill';

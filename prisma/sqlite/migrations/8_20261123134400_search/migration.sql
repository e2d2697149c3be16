-- The index that texts of threads are searched with. Prisma cannot describe it, so its tables are external to the schema
-- (prisma.config.ts). A row of "search_text" has the id of its "search_message", which VACUUM does not change.
CREATE TABLE "search_message" (
    "id" INTEGER NOT NULL PRIMARY KEY,
    "messageId" TEXT NOT NULL
);
CREATE UNIQUE INDEX "search_message_messageId_key" ON "search_message"("messageId");

-- Groups of three characters: every part of a text is found, as with LIKE. Where a group stands is not kept.
CREATE VIRTUAL TABLE "search_text" USING fts5("text", content='', contentless_delete=1, detail=none, tokenize='trigram');

CREATE TRIGGER "search_after_insert" AFTER INSERT ON "transcript_message" BEGIN
    INSERT INTO "search_message" ("messageId") VALUES (new."id");
    INSERT INTO "search_text" ("rowid", "text")
        SELECT "id", new."text" FROM "search_message" WHERE "messageId" = new."id";
END;

CREATE TRIGGER "search_after_delete" AFTER DELETE ON "transcript_message" BEGIN
    DELETE FROM "search_text" WHERE "rowid" = (SELECT "id" FROM "search_message" WHERE "messageId" = old."id");
    DELETE FROM "search_message" WHERE "messageId" = old."id";
END;

CREATE TRIGGER "search_after_update" AFTER UPDATE OF "text" ON "transcript_message" BEGIN
    DELETE FROM "search_text" WHERE "rowid" = (SELECT "id" FROM "search_message" WHERE "messageId" = old."id");
    DELETE FROM "search_message" WHERE "messageId" = old."id";
    INSERT INTO "search_message" ("messageId") VALUES (new."id");
    INSERT INTO "search_text" ("rowid", "text")
        SELECT "id", new."text" FROM "search_message" WHERE "messageId" = new."id";
END;

-- What is there already is added by the server, a little at a time; until then texts are searched without the index.
INSERT INTO "setting" ("key", "value", "updatedAt")
    SELECT 'search-fill', '', CURRENT_TIMESTAMP WHERE EXISTS (SELECT 1 FROM "transcript_message");

-- The index that the trace list is searched with, as "search_text" is for messages. Titles and errors are short, so it is
-- kept with each change. Folding names what it lacks, and adds it.
CREATE TABLE "search_trace" (
    "id" INTEGER NOT NULL PRIMARY KEY,
    "traceId" TEXT NOT NULL
);
CREATE UNIQUE INDEX "search_trace_traceId_key" ON "search_trace"("traceId");
CREATE VIRTUAL TABLE "search_trace_text" USING fts5("text", content='', contentless_delete=1, detail=none, tokenize='trigram');

CREATE TRIGGER "search_trace_after_insert" AFTER INSERT ON "trace" BEGIN
    INSERT INTO "search_trace" ("traceId") VALUES (new."id");
    INSERT INTO "search_trace_text" ("rowid", "text")
        SELECT "id", coalesce(new."folded", coalesce(new."title", '') || ' ' || coalesce(new."error", '')) || ' ' || coalesce(new."model", '')
        FROM "search_trace" WHERE "traceId" = new."id";
END;

CREATE TRIGGER "search_trace_after_update" AFTER UPDATE OF "title", "error", "folded", "model" ON "trace"
    WHEN new."title" IS NOT old."title" OR new."error" IS NOT old."error" OR new."folded" IS NOT old."folded"
        OR new."model" IS NOT old."model" OR NOT EXISTS (SELECT 1 FROM "search_trace" WHERE "traceId" = new."id") BEGIN
    DELETE FROM "search_trace_text" WHERE "rowid" = (SELECT "id" FROM "search_trace" WHERE "traceId" = new."id");
    INSERT OR IGNORE INTO "search_trace" ("traceId") VALUES (new."id");
    INSERT INTO "search_trace_text" ("rowid", "text")
        SELECT s."id", coalesce(t."folded", coalesce(t."title", '') || ' ' || coalesce(t."error", '')) || ' ' || coalesce(t."model", '')
        FROM "search_trace" s JOIN "trace" t ON t."id" = s."traceId" WHERE s."traceId" = new."id";
END;

CREATE TRIGGER "search_trace_after_delete" AFTER DELETE ON "trace" BEGIN
    DELETE FROM "search_trace_text" WHERE "rowid" = (SELECT "id" FROM "search_trace" WHERE "traceId" = old."id");
    DELETE FROM "search_trace" WHERE "traceId" = old."id";
END;

-- What is there already.
INSERT OR IGNORE INTO "search_unfolded" SELECT 'trace', "id", 0 FROM "trace";

-- The index that the trace list is searched with, as "search_message" is for messages. Titles and errors are short, so it
-- is kept with each change. Folding names what it lacks, and adds it.
CREATE TABLE "search_trace" (
    "traceId" TEXT NOT NULL,
    "grams" TSVECTOR NOT NULL,

    CONSTRAINT "search_trace_pkey" PRIMARY KEY ("traceId")
);
CREATE INDEX "search_trace_grams_idx" ON "search_trace" USING GIN ("grams");

CREATE FUNCTION "search_trace_changed"() RETURNS TRIGGER LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'DELETE' THEN
        DELETE FROM "search_trace" WHERE "traceId" = OLD."id";
    ELSE
        INSERT INTO "search_trace" VALUES (NEW."id", "search_grams"(
            coalesce(NEW."folded", coalesce(NEW."title", '') || ' ' || coalesce(NEW."error", '')) || ' ' || coalesce(NEW."model", '')))
            ON CONFLICT ("traceId") DO UPDATE SET "grams" = excluded."grams";
    END IF;
    RETURN NULL;
END $$;

CREATE TRIGGER "search_trace_after_change" AFTER INSERT OR DELETE OR UPDATE OF "title", "error", "folded", "model" ON "trace"
    FOR EACH ROW EXECUTE FUNCTION "search_trace_changed"();

-- What is there already.
INSERT INTO "search_unfolded" SELECT 'trace', "id", 0 FROM "trace" ON CONFLICT DO NOTHING;

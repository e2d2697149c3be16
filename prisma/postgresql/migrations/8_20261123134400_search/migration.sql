-- The index that texts of threads are searched with. Prisma cannot describe it, so its table is external to the schema
-- (prisma.config.ts).

-- All groups of three characters of a text, and of two where both are Chinese, Japanese or Korean: every part of a text
-- is found, as with ILIKE. The groups of a very long text would not fit; it counts as having all.
CREATE FUNCTION "search_grams"("content" TEXT) RETURNS TSVECTOR LANGUAGE plpgsql IMMUTABLE AS $$
BEGIN
    IF length("content") > 100000 THEN RETURN array_to_tsvector(ARRAY['any text']); END IF;
    RETURN (
        SELECT array_to_tsvector(coalesce(array_agg(DISTINCT "gram"), ARRAY[]::TEXT[]))
        FROM (
            SELECT unnest(ARRAY["a" || "b" || "c", CASE WHEN ascii("a") >= 11904 AND ascii("b") >= 11904 THEN "a" || "b" END]) AS "gram"
            FROM (
                SELECT "a", lead("a") OVER (ORDER BY "place") AS "b", lead("a", 2) OVER (ORDER BY "place") AS "c"
                FROM regexp_split_to_table(lower("content"), '') WITH ORDINALITY AS "characters"("a", "place")
            ) AS "neighbours"
        ) AS "grams"
        WHERE "gram" IS NOT NULL
    );
END $$;

-- A text that contains the term has all its groups.
CREATE FUNCTION "search_query"("term" TEXT) RETURNS TSQUERY LANGUAGE sql IMMUTABLE AS $$
    SELECT ('''any text'' | (' || string_agg('''' || replace(replace("gram", '\', '\\'), '''', '''''') || '''', ' & ') || ')')::TSQUERY
    FROM unnest(tsvector_to_array("search_grams"("term"))) AS "gram"
$$;

CREATE TABLE "search_message" (
    "messageId" TEXT NOT NULL,
    "grams" TSVECTOR NOT NULL,

    CONSTRAINT "search_message_pkey" PRIMARY KEY ("messageId")
);
CREATE INDEX "search_message_grams_idx" ON "search_message" USING GIN ("grams");

CREATE FUNCTION "search_message_changed"() RETURNS TRIGGER LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP <> 'INSERT' THEN DELETE FROM "search_message" WHERE "messageId" = OLD."id"; END IF;
    IF TG_OP <> 'DELETE' THEN INSERT INTO "search_message" VALUES (NEW."id", "search_grams"(NEW."text")); END IF;
    RETURN NULL;
END $$;

CREATE TRIGGER "search_after_change" AFTER INSERT OR DELETE OR UPDATE OF "text" ON "transcript_message"
    FOR EACH ROW EXECUTE FUNCTION "search_message_changed"();

-- What is there already is added by the server, a little at a time; until then texts are searched without the index.
INSERT INTO "setting" ("key", "value", "updatedAt")
    SELECT 'search-fill', '', CURRENT_TIMESTAMP WHERE EXISTS (SELECT 1 FROM "transcript_message");

-- Messages that the index of texts lacks. Splitting a text into its groups takes longer than storing it, so a message
-- only names itself here, and a task adds it to the index; until then a search reads it.
CREATE TABLE "search_pending" (
    "messageId" TEXT NOT NULL,

    CONSTRAINT "search_pending_pkey" PRIMARY KEY ("messageId")
);

-- The row of a message that is being added to the index is locked, so this waits and then finds it there.
CREATE OR REPLACE FUNCTION "search_message_changed"() RETURNS TRIGGER LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP <> 'INSERT' THEN
        DELETE FROM "search_pending" WHERE "messageId" = OLD."id";
        DELETE FROM "search_message" WHERE "messageId" = OLD."id";
    END IF;
    IF TG_OP <> 'DELETE' THEN INSERT INTO "search_pending" VALUES (NEW."id"); END IF;
    RETURN NULL;
END $$;

-- What the index lacked already.
INSERT INTO "search_pending"
    SELECT "id" FROM "transcript_message" m
    WHERE NOT EXISTS (SELECT 1 FROM "search_message" s WHERE s."messageId" = m."id");
DELETE FROM "setting" WHERE "key" = 'search-fill';

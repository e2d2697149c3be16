-- Since 0.2.0

-- Letters of Arabic that are written for one another, þ, ð and the digits of all scripts are folded since now: texts
-- with one of them are folded again, by the task that folds new ones.
CREATE TEMP TABLE "newly_folded" AS SELECT
    '[\u00d0\u00de\u00f0\u00fe\u0629\u0649\u0660-\u0669\u0671\u06a9\u06be\u06c1-\u06c3\u06cc'
    || '\u06f0-\u06f9\u07c0-\u07c9\u0966-\u096f\u09e6-\u09ef\u0a66-\u0a6f\u0ae6-\u0aef\u0b66-\u0b6f'
    || '\u0be6-\u0bef\u0c66-\u0c6f\u0ce6-\u0cef\u0d66-\u0d6f\u0de6-\u0def\u0e50-\u0e59\u0ed0-\u0ed9'
    || '\u0f20-\u0f29\u1040-\u1049\u1090-\u1099\u17e0-\u17e9\u1810-\u1819\u1946-\u194f\u19d0-\u19d9'
    || '\u1a80-\u1a89\u1a90-\u1a99\u1b50-\u1b59\u1bb0-\u1bb9\u1c40-\u1c49\u1c50-\u1c59\u1d9e'
    || '\ua620-\ua629\ua8d0-\ua8d9\ua900-\ua909\ua9d0-\ua9d9\ua9f0-\ua9f9\uaa50-\uaa59\uabf0-\uabf9'
    || '\ufb50-\ufdff\ufe93-\ufe94\ufeef-\ufef0\U000104a0-\U0001e959]' AS "pattern";

INSERT INTO "search_unfolded" SELECT 'thread', "id", floor(random() * 1000000000)::INTEGER + 1
    FROM "thread", "newly_folded" WHERE "title" ~ "pattern" ON CONFLICT DO NOTHING;
INSERT INTO "search_unfolded" SELECT 'trace', "id", floor(random() * 1000000000)::INTEGER + 1
    FROM "trace", "newly_folded" WHERE (coalesce("title", '') || coalesce("error", '')) ~ "pattern" ON CONFLICT DO NOTHING;
INSERT INTO "search_unfolded" SELECT 'transcript_message', "id", floor(random() * 1000000000)::INTEGER + 1
    FROM "transcript_message", "newly_folded" WHERE "text" ~ "pattern" ON CONFLICT DO NOTHING;
INSERT INTO "search_unfolded" SELECT 'audit_entry', "id", floor(random() * 1000000000)::INTEGER + 1
    FROM "audit_entry", "newly_folded" WHERE (coalesce("details", '') || coalesce("before", '') || coalesce("after", '')) ~ "pattern" ON CONFLICT DO NOTHING;

DROP TABLE "newly_folded";

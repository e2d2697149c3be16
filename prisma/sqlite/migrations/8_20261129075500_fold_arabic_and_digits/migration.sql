-- Since 0.2.0

-- Letters of Arabic that are written for one another, þ, ð and the digits of all scripts are folded since now: texts
-- with one of them are folded again, by the task that folds new ones.
CREATE TEMP TABLE "newly_folded" AS SELECT '*[' || char(
    208, 222, 240, 254, 1577, 1609, 1632, 45, 1641, 1649, 1705, 1726, 1729, 45, 1731, 1740, 1776, 45, 1785,
    1984, 45, 1993, 2406, 45, 2415, 2534, 45, 2543, 2662, 45, 2671, 2790, 45, 2799, 2918, 45, 2927, 3046, 45, 3055,
    3174, 45, 3183, 3302, 45, 3311, 3430, 45, 3439, 3558, 45, 3567, 3664, 45, 3673, 3792, 45, 3801, 3872, 45, 3881,
    4160, 45, 4169, 4240, 45, 4249, 6112, 45, 6121, 6160, 45, 6169, 6470, 45, 6479, 6608, 45, 6617, 6784, 45, 6793,
    6800, 45, 6809, 6992, 45, 7001, 7088, 45, 7097, 7232, 45, 7241, 7248, 45, 7257, 7582, 42528, 45, 42537,
    43216, 45, 43225, 43264, 45, 43273, 43472, 45, 43481, 43504, 45, 43513, 43600, 45, 43609, 44016, 45, 44025,
    64336, 45, 65023, 65171, 45, 65172, 65263, 45, 65264, 66720, 45, 125273
) || ']*' AS "pattern";

INSERT OR IGNORE INTO "search_unfolded" SELECT 'thread', "id", abs(random() % 1000000000) + 1
    FROM "thread", "newly_folded" WHERE "title" GLOB "pattern";
INSERT OR IGNORE INTO "search_unfolded" SELECT 'trace', "id", abs(random() % 1000000000) + 1
    FROM "trace", "newly_folded" WHERE coalesce("title", '') || coalesce("error", '') GLOB "pattern";
INSERT OR IGNORE INTO "search_unfolded" SELECT 'transcript_message', "id", abs(random() % 1000000000) + 1
    FROM "transcript_message", "newly_folded" WHERE "text" GLOB "pattern";
INSERT OR IGNORE INTO "search_unfolded" SELECT 'audit_entry', "id", abs(random() % 1000000000) + 1
    FROM "audit_entry", "newly_folded" WHERE coalesce("details", '') || coalesce("before", '') || coalesce("after", '') GLOB "pattern";

DROP TABLE "newly_folded";

import { sql } from "kysely";
import type { Database } from "@/lib/server/platform/db/database";
import { textStatement } from "@/lib/server/platform/db/kysely/build";
import { idRows } from "@/lib/server/platform/db/kysely/json-rows";
import { foldTexts } from "./fold-texts";

/** How many messages the text index lacks; counts to `limit`. */
export async function countPending(database: Database, limit: number): Promise<number> {
  const [row] = await database.execute(
    textStatement(sql<{ count: number }>`select count(*) as "count" from
      (select 1 from "search_pending" limit ${limit}) pending`),
  );
  return row?.count ?? 0;
}

/** Up to `limit` messages that the text index lacks. */
export function selectPending(database: Database, limit: number): Promise<{ id: string }[]> {
  return database.readAside(
    textStatement(sql<{ id: string }>`select "messageId" as "id" from "search_pending" limit ${limit}`),
  );
}

/** Folds up to `limit` texts, and adds as many missing messages to the text index; returns the larger of both counts. */
export async function indexPending(database: Database, limit: number): Promise<number> {
  const folded = await foldTexts(database, limit);
  return Math.max(folded, await indexFolded(database, limit));
}

/** What the index takes: messages that are folded, or need not be. */
const IS_FOLDED = sql`not exists (select 1 from "search_unfolded" u
  where u."kind" = 'transcript_message' and u."id" = "search_pending"."messageId")`;

async function indexFolded(database: Database, limit: number): Promise<number> {
  if (database.dialect.provider === "postgresql") {
    const [row] = await database.execute(
      // Materialized: a plan may run a subselect several times, and each time it would skip the rows it locked before.
      textStatement(sql<{ count: number }>`
        with due as materialized (
          select "messageId" from "search_pending" where ${IS_FOLDED} limit ${limit} for update skip locked),
        next as (
          delete from "search_pending" where "messageId" in (select "messageId" from due) returning "messageId"),
        added as (
          insert into "search_message" select m."id", search_grams(coalesce(m."folded", m."text"))
            from next join "transcript_message" m on m."id" = next."messageId"
          on conflict ("messageId") do update set "grams" = excluded."grams")
        select count(*) as "count" from next`),
    );
    return row?.count ?? 0;
  }
  const next = await database.execute(
    textStatement(sql<{ id: string }>`select "messageId" as "id" from "search_pending" where ${IS_FOLDED}
      order by "messageId" limit ${limit}`),
  );
  if (next.length === 0) return 0;
  // Messages still pending when the transaction begins: a text may have changed or been deleted since.
  const wanted = idRows(
    database.dialect,
    next.map(({ id }) => id),
  );
  const pending = sql`"search_pending" p join ${wanted} as w on w."id" = p."messageId"`;
  const statements = [
    // What the index has of a text before it was folded.
    sql`delete from "search_text" where "rowid" in
      (select s."id" from ${pending} join "search_message" s on s."messageId" = p."messageId")`,
    sql`delete from "search_message" where "messageId" in (select p."messageId" from ${pending})`,
    sql`insert into "search_message" ("messageId") select m."id" from ${pending}
      join "transcript_message" m on m."id" = p."messageId"`,
    sql`insert into "search_text" ("rowid", "text") select s."id", coalesce(m."folded", m."text") from ${pending}
      join "search_message" s on s."messageId" = p."messageId"
      join "transcript_message" m on m."id" = p."messageId"`,
    sql`delete from "search_pending" where "messageId" in (select p."messageId" from ${pending})`,
  ];
  await database.runAll(statements.map(textStatement), "normal");
  return next.length;
}

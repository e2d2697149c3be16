import type { Database } from "@/lib/server/platform/db/database";
import { sqlJson } from "@/lib/server/platform/db/dialect";

/** How many messages the text index lacks; counts to `limit`. */
export async function countPending(database: Database, limit: number): Promise<number> {
  const [row] = await database.raw<{ count: number }>(
    `select count(*) as "count" from (select 1 from "search_pending" limit $1) pending`,
    [limit],
  );
  return Number(row?.count);
}

/** Adds up to `limit` missing messages to the text index; returns how many there were. */
export async function indexPending(database: Database, limit: number): Promise<number> {
  if (database.dialect.provider === "postgresql") {
    const [row] = await database.raw<{ count: number }>(
      `with next as (
         delete from "search_pending" where "messageId" in
           (select "messageId" from "search_pending" limit $1 for update skip locked)
         returning "messageId"),
       added as (
         insert into "search_message" select m."id", search_grams(m."text")
           from next join "transcript_message" m on m."id" = next."messageId"
         on conflict ("messageId") do update set "grams" = excluded."grams")
       select count(*) as "count" from next`,
      [limit],
    );
    return Number(row?.count);
  }
  const next = await database.raw<{ id: string }>(
    `select "messageId" as "id" from "search_pending" order by "messageId" limit $1`,
    [limit],
  );
  if (next.length === 0) return 0;
  // Messages still pending when the transaction begins: a text may have changed or been deleted since.
  const pending = `"search_pending" p join ${database.dialect.rows("w", { id: "text" }, "$1")} on w."id" = p."messageId"`;
  const statements = [
    `insert into "search_message" ("messageId") select m."id" from ${pending}
       join "transcript_message" m on m."id" = p."messageId"`,
    `insert into "search_text" ("rowid", "text") select s."id", m."text" from ${pending}
       join "search_message" s on s."messageId" = p."messageId"
       join "transcript_message" m on m."id" = p."messageId"`,
    `delete from "search_pending" where "messageId" in (select p."messageId" from ${pending})`,
  ];
  const parameters = [sqlJson(next)];
  await database.rawTransaction(
    statements.map((sql) => ({ sql, parameters })),
    "normal",
  );
  return next.length;
}

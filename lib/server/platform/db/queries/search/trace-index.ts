import { sql } from "kysely";
import { fold } from "@/lib/schema/fold";
import type { Database } from "@/lib/server/platform/db/database";
import { textStatement } from "@/lib/server/platform/db/kysely/build";
import { toIds } from "@/lib/server/platform/db/rows";
import { gramsOf, hasGrams, quoted } from "./grams";

/**
 * More than this match so often that reading the list in its order until a page is full is faster.
 */
const MOST = 2_000;

/**
 * The traces whose title, error or model may have the text, and those of the thread with this id; null if the index
 * can't tell, or names too many. It has all traces once none remains to be folded.
 */
export async function selectTracesWith(database: Database, text: string): Promise<string[] | null> {
  const folded = fold(text);
  const { provider } = database.dialect;
  const isSqlite = provider === "sqlite";
  if (isSqlite ? gramsOf(folded).length === 0 : !hasGrams(folded)) return null;
  const found = isSqlite
    ? sql`select s."traceId" as "id" from "search_trace_text" x cross join "search_trace" s on s."id" = x."rowid"
        where x."search_trace_text" match ${gramsOf(folded).map(quoted).join(" AND ")}`
    : sql`select s."traceId" as "id" from "search_trace" s where s."grams" @@ search_query(${folded})`;
  const most = MOST + 1;
  const rows = await database.readAside(
    textStatement(sql<{ id: string }>`select * from (${found} limit ${most}) found
      union select * from (select "id" from "trace" where "threadId" = ${text} limit ${most}) own`),
  );
  return rows.length > MOST ? null : toIds(rows);
}

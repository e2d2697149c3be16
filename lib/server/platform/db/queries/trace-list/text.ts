import { type RawBuilder, type SqlBool, sql } from "kysely";
import type { Database } from "@/lib/server/platform/db/database";
import type { Dialect } from "@/lib/server/platform/db/dialect";
import { idRows } from "@/lib/server/platform/db/kysely/json-rows";
import { type SearchTerm, searchTerm } from "@/lib/server/platform/db/queries/search/fold-texts";
import { fewInTexts } from "@/lib/server/platform/db/queries/search/indexed-texts";
import { selectPending } from "@/lib/server/platform/db/queries/search/text-index";
import { selectTracesWith } from "@/lib/server/platform/db/queries/search/trace-index";
import { all } from "./conditions";

/** Of so many messages the texts are read, wherever the index names them. */
const MOST_MESSAGES = 3_000;

/**
 * The condition on `t` that its title, error or model, one of the messages that people see of its run, or a note on it
 * has the text. `isWhole`: every text is folded.
 */
export async function traceHasText(database: Database, text: string, isWhole: boolean): Promise<RawBuilder<SqlBool>> {
  const { dialect } = database;
  const term = searchTerm(text, isWhole);
  const few = isWhole ? await selectTracesWith(database, text) : null;
  const named = ["title", "error", "model"].map((name) => isIn(dialect, sql.ref(`t.${name}`), term));
  const inTrace = any([isIn(dialect, sql`t."folded"`, term), ...named, sql`t."threadId" = ${text}`]);
  const indexed =
    few === null ? inTrace : sql<SqlBool>`(t."id" in (select i."id" from ${idRows(dialect, few)} i) and ${inTrace})`;
  const inNotes = sql<SqlBool>`t."id" in (select x."traceId" from "note" x where ${hasText(dialect, term)})`;
  return any([indexed, await inMessages(database, term), inNotes]);
}

/** By the index where it can tell; otherwise the messages of one run after the other are read. */
async function inMessages(database: Database, term: SearchTerm): Promise<RawBuilder<SqlBool>> {
  const { dialect } = database;
  // Read before the index: what is added to it meanwhile is here still.
  const pending = await selectPending(database, MOST_MESSAGES);
  const few = pending.length < MOST_MESSAGES ? await fewInTexts(database, [term], MOST_MESSAGES) : null;
  const hasIt = hasText(dialect, term);
  if (few === null) {
    return sql`exists (select 1 from "transcript_message" x where x."runId" = t."runId" and ${hasIt})`;
  }
  const ids = (rows: readonly { readonly id: string | number }[]) =>
    sql`(select i."id" from ${idRows(
      dialect,
      rows.map(({ id }) => String(id)),
    )} i)`;
  const byIndex =
    dialect.provider === "postgresql"
      ? ids(few)
      : sql`(select n."messageId" from "search_message" n where n."id" in (select cast(f."id" as integer) from ${ids(few)} f))`;
  return sql`t."runId" in (select x."runId" from "transcript_message" x
    where (x."id" in ${byIndex} or x."id" in ${ids(pending)}) and ${all([hasIt])})`;
}

/** The condition on a message or a note `x`. */
function hasText(dialect: Dialect, term: SearchTerm): RawBuilder<SqlBool> {
  return any([isIn(dialect, sql`coalesce(x."folded", x."text")`, term), isIn(dialect, sql`x."text"`, term)]);
}

function isIn({ provider }: Dialect, column: RawBuilder<unknown>, { folded, typed }: SearchTerm): RawBuilder<SqlBool> {
  const like = sql.raw(provider === "postgresql" ? "ilike" : "like");
  const has = (text: string) => sql<SqlBool>`coalesce(${column} ${like} ${pattern(text)} escape '\\', false)`;
  return typed === null ? has(folded) : any([has(folded), has(typed)]);
}

function any(options: readonly RawBuilder<SqlBool>[]): RawBuilder<SqlBool> {
  return sql`(${sql.join([...options], sql` or `)})`;
}

/** A LIKE pattern, with the escape character `\`. */
function pattern(text: string): string {
  return `%${text.replaceAll(/[\\%_]/g, "\\$&")}%`;
}

/** The condition on `t` that this is its id, or its run's or thread's. */
export function traceIs(column: "id" | "runId" | "threadId", id: string): RawBuilder<SqlBool> {
  return sql`${sql.ref(`t.${column}`)} = ${id}`;
}

import { type RawBuilder, type SqlBool, sql } from "kysely";
import type { Database } from "@/lib/server/platform/db/database";
import type { Dialect } from "@/lib/server/platform/db/dialect";
import { idRows } from "@/lib/server/platform/db/kysely/json-rows";
import { type SearchTerm, searchTerm } from "@/lib/server/platform/db/queries/search/fold-texts";
import { fewInTexts } from "@/lib/server/platform/db/queries/search/indexed-texts";
import { isFoundMasked, isMaskedRow } from "@/lib/server/platform/db/queries/search/mask-texts";
import { selectPending } from "@/lib/server/platform/db/queries/search/text-index";
import { selectTracesWith } from "@/lib/server/platform/db/queries/search/trace-index";
import { all } from "./conditions";

/** Of so many messages the texts are read, wherever the index names them. */
const MOST_MESSAGES = 3_000;

interface Sought {
  readonly text: string;
  /** Every text is folded. */
  readonly isWhole: boolean;
  /** A masking rule may have put it, or a part of it, in the place of another text. */
  readonly isReplacement: boolean;
  /** People see their own notes unmasked. */
  readonly readerId: string;
}

/**
 * The condition on `t` that its title, error or model, one of the messages that people see of its run, or a note on it
 * has the text, both as it is stored and as the masking rules show it. What only the rules have put there is found, too.
 */
export async function traceHasText(
  database: Database,
  { text, isWhole, isReplacement, readerId }: Sought,
): Promise<RawBuilder<SqlBool>> {
  const { dialect } = database;
  const term = searchTerm(text, isWhole);
  const few = isWhole ? await selectTracesWith(database, text) : null;
  const own = [sql`t."folded"`, sql`t."title"`, sql`t."error"`].map((column) => isIn(dialect, column, term));
  const inTrace = any([
    all([any(own), isShown(dialect, "t", term)]),
    isIn(dialect, sql`t."model"`, term),
    sql`t."threadId" = ${text}`,
  ]);
  const indexed =
    few === null ? inTrace : sql<SqlBool>`(t."id" in (select i."id" from ${idRows(dialect, few)} i) and ${inTrace})`;
  const isOwn = sql<SqlBool>`x."authorId" = ${readerId}`;
  const isInNote = all([isStored(dialect, term), any([isOwn, isShown(dialect, "x", term)])]);
  const inNotes = sql<SqlBool>`t."id" in (select x."traceId" from "note" x where ${isInNote})`;
  const replaced = isReplacement ? replacedTexts(dialect, term) : [];
  return any([indexed, await inMessages(database, term), inNotes, ...replaced]);
}

/** The conditions that a text which the masking rules changed has it now. */
function replacedTexts(dialect: Dialect, { folded }: SearchTerm): RawBuilder<SqlBool>[] {
  const has = (row: string) => all([isMaskedRow(row), hasPattern(dialect, sql.ref(`${row}.masked`), folded)]);
  return [
    sql`(${has("t")})`,
    // Not `in`, for which Postgres may go through all that are found once per run.
    sql`exists (select 1 from "transcript_message" x where x."runId" = t."runId" and ${has("x")})`,
    sql`exists (select 1 from "note" x where x."traceId" = t."id" and ${has("x")})`,
  ];
}

/** By the index where it can tell; otherwise the messages of one run after the other are read. */
async function inMessages(database: Database, term: SearchTerm): Promise<RawBuilder<SqlBool>> {
  const { dialect } = database;
  // Read before the index: what is added to it meanwhile is here still.
  const pending = await selectPending(database, MOST_MESSAGES);
  const few = pending.length < MOST_MESSAGES ? await fewInTexts(database, [term], MOST_MESSAGES) : null;
  const hasIt = all([isStored(dialect, term), isShown(dialect, "x", term)]);
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
    where (x."id" in ${byIndex} or x."id" in ${ids(pending)}) and ${hasIt})`;
}

/** The condition on a message or a note `x`. */
function isStored(dialect: Dialect, term: SearchTerm): RawBuilder<SqlBool> {
  return any([isIn(dialect, sql`coalesce(x."folded", x."text")`, term), isIn(dialect, sql`x."text"`, term)]);
}

/** The condition that the row shows the text under the masking rules. */
function isShown(dialect: Dialect, row: string, { folded }: SearchTerm): RawBuilder<SqlBool> {
  return isFoundMasked(row, (masked) => hasPattern(dialect, masked, folded));
}

function isIn(dialect: Dialect, column: RawBuilder<unknown>, { folded, typed }: SearchTerm): RawBuilder<SqlBool> {
  const found = hasPattern(dialect, column, folded);
  return typed === null ? found : any([found, hasPattern(dialect, column, typed)]);
}

function hasPattern({ provider }: Dialect, column: RawBuilder<unknown>, text: string): RawBuilder<SqlBool> {
  const like = sql.raw(provider === "postgresql" ? "ilike" : "like");
  return sql<SqlBool>`coalesce(${column} ${like} ${pattern(text)} escape '\\', false)`;
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

import { sql } from "kysely";
import { fold, isAscii } from "@/lib/schema/fold";
import type { Database } from "@/lib/server/platform/db/database";
import { textStatement } from "@/lib/server/platform/db/kysely/build";
import { jsonRows } from "@/lib/server/platform/db/kysely/json-rows";
import { logger } from "@/lib/server/platform/logger";

/** What is searched by its folded text, and the text of a row `r` of it. The folded one is in the column "folded". */
const TEXTS = {
  audit_entry: sql`coalesce(r."details", '') || ' ' || coalesce(r."before", '') || ' ' || coalesce(r."after", '')`,
  thread: sql`r."title"`,
  trace: sql`coalesce(r."title", '') || ' ' || coalesce(r."error", '')`,
  transcript_message: sql`r."text"`,
} as const;
type Kind = keyof typeof TEXTS;
const KINDS = Object.keys(TEXTS) as Kind[];

/** How many rows of these kinds are not folded yet; counts to `limit`. */
export async function countUnfolded(
  database: Database,
  limit: number,
  kinds: readonly Kind[] = KINDS,
): Promise<number> {
  const [row] = await database.execute(
    textStatement(sql<{ count: number }>`select count(*) as "count" from (select 1 from "search_unfolded"
      where "kind" in (${sql.join(kinds)}) limit ${limit}) unfolded`),
  );
  return row?.count ?? 0;
}

interface Unfolded {
  readonly kind: Kind;
  readonly id: string;
  readonly token: number;
  /** Null if the row is gone or has no text. */
  readonly text: string | null;
}

/**
 * Folds up to `limit` texts, new ones first; returns how many there were. A kill loses at most these: each stays to be
 * done until its folded text is stored. So does a text that changes in the meantime.
 */
export async function foldTexts(database: Database, limit: number): Promise<number> {
  const text = sql.join(
    KINDS.map(
      (kind) => sql`when ${sql.lit(kind)} then (select ${TEXTS[kind]} from ${sql.table(kind)} r where r."id" = u."id")`,
    ),
    sql` `,
  );
  const next = await database.execute(
    textStatement(sql<Unfolded>`select u."kind", u."id", u."token", case u."kind" ${text} end as "text"
      from (select * from "search_unfolded" order by "token" desc limit ${limit}) u`),
  );
  if (next.length === 0) return 0;
  const rows = next.map(({ kind, id, token, text }) => ({
    kind,
    id,
    token,
    folded: text === null ? null : foldedText(text),
  }));
  const columns = { kind: "text", id: "text", token: "integer", folded: "text" } as const;
  const given = jsonRows(database.dialect, columns, rows);
  const from = sql`${given} as w join "search_unfolded" u
    on u."kind" = w."kind" and u."id" = w."id" and u."token" = w."token"`;
  const updates = KINDS.filter((kind) => next.some((row) => row.kind === kind)).map((kind) => {
    const table = sql.table(kind);
    return sql`update ${table} set "folded" = w."folded" from ${from}
      where w."kind" = ${sql.lit(kind)} and ${table}."id" = w."id"`;
  });
  const statements = [
    ...updates,
    // The index gets the folded text.
    sql`insert into "search_pending" ("messageId") select m."id" from ${from}
      join "transcript_message" m on m."id" = w."id" where w."kind" = 'transcript_message' on conflict do nothing`,
    sql`delete from "search_unfolded" where exists (select 1 from ${given} as w where w."kind" = "search_unfolded"."kind"
      and w."id" = "search_unfolded"."id" and w."token" = "search_unfolded"."token")`,
  ];
  await database.runAll(statements.map(textStatement), "normal");
  return next.length;
}

/** Null where the databases find the same in the text itself: they ignore the case of ASCII letters. */
export function foldedText(text: string): string | null {
  const folded = fold(text);
  return folded === text.replaceAll(/[A-Z]+/g, (letters) => letters.toLowerCase()) ? null : folded;
}

/** So many new texts are folded at once for a search that comes before the task does. */
const MOST_NEW = 50;
/** As far as what remains is counted. */
const MOST_COUNTED = 1_000_000;

/** Folds the newest texts, so that a search finds them, and returns how many remain of these kinds. */
export async function foldNewTexts(database: Database, kinds: readonly Kind[] = ["thread", "transcript_message"]) {
  if ((await countUnfolded(database, 1, kinds)) === 0) return 0;
  // Where nothing can be written, say since the disk is full, people can still search what was folded before.
  await foldTexts(database, MOST_NEW).catch((error: unknown) => {
    logger().warn({ err: error }, "can't prepare new texts for a search");
  });
  return countUnfolded(database, MOST_COUNTED, kinds);
}

/** A condition on a folded text, as a search needs it for one word. */
export interface SearchTerm {
  readonly folded: string;
  /** As it was typed, for texts that are not folded yet; null if that finds no more. */
  readonly typed: string | null;
}

/** How a search names one word. `isWhole`: every text is folded. */
export function searchTerm(word: string, isWhole: boolean): SearchTerm {
  const folded = fold(word).trim() || word;
  return { folded, typed: isWhole || isAscii(word) ? null : word };
}

import { type RawBuilder, sql } from "kysely";
import type { Database } from "@/lib/server/platform/db/database";
import type { Dialect } from "@/lib/server/platform/db/dialect";
import { textStatement } from "@/lib/server/platform/db/kysely/build";
import { jsonRows } from "@/lib/server/platform/db/kysely/json-rows";
import type { SearchTerm } from "./fold-texts";
import { gramsOf, hasGrams, quoted } from "./grams";
import { all } from "./search-terms";

export interface IndexedText {
  readonly id: string | number;
}

/**
 * The messages that may have all the words according to the index; null if there are `most` or more, or if it can't
 * tell.
 */
export async function fewInTexts(
  database: Database,
  words: readonly SearchTerm[],
  most: number,
): Promise<IndexedText[] | null> {
  const source = indexed(database.dialect, words);
  if (source === null) return null;
  const rows = await readByIndex(
    database,
    sql<IndexedText>`select ${source.id} as "id" from ${source.index} where ${all(source.where)} limit ${most}`,
  );
  return rows.length < most ? rows : null;
}

/**
 * Postgres takes reading all rows for cheaper than its index, because it does not count that it unpacks the groups of
 * letters of each message for that: ten times the work.
 */
async function readByIndex<Row>(database: Database, text: RawBuilder<Row>): Promise<Row[]> {
  const statement = textStatement(text);
  if (database.dialect.provider !== "postgresql") return database.readAside(statement);
  const [, rows = []] = await database.runAll([textStatement(sql`set local enable_seqscan = off`), statement]);
  return rows as Row[];
}

export function messagesNamed(dialect: Dialect, found: readonly IndexedText[]) {
  const rows = jsonRows(dialect, { id: "text" }, found);
  return { from: sql`${rows} as c cross join "transcript_message" m`, joins: [sql`m."id" = c."id"`] };
}

/** These messages: so the index is read only once. */
export function named(dialect: Dialect, found: readonly IndexedText[]) {
  if (dialect.provider === "postgresql") return messagesNamed(dialect, found);
  const rows = jsonRows(dialect, { id: "integer" }, found);
  return {
    from: sql`${rows} as c cross join "search_message" s cross join "transcript_message" m`,
    joins: [sql`s."id" = c."id"`, sql`m."id" = s."messageId"`],
  };
}

/** Messages that may have all the texts according to the index; null if it can't tell. */
function indexed({ provider }: Dialect, terms: readonly SearchTerm[]) {
  const options = terms.map(({ folded, typed }) => (typed === null ? [folded] : [folded, typed]));
  if (provider === "postgresql") {
    const known = options.filter((texts) => texts.every(hasGrams));
    if (known.length === 0) return null;
    const where = known.map((texts) => {
      const matches = texts.map((text) => sql`s."grams" @@ search_query(${text})`);
      return sql`(${sql.join(matches, sql` or `)})`;
    });
    return { index: sql`"search_message" s`, id: sql`s."messageId"`, where };
  }
  const known = options.map((texts) => texts.map(gramsOf)).filter((texts) => texts.every(({ length }) => length > 0));
  if (known.length === 0) return null;
  const match = known.map((texts) => `(${texts.map((grams) => `(${grams.map(quoted).join(" AND ")})`).join(" OR ")})`);
  const where = [sql`x."search_text" match ${match.join(" AND ")}`];
  return { index: sql`"search_text" x`, id: sql`x."rowid"`, where };
}

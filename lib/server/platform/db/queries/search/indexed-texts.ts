import type { Database } from "@/lib/server/platform/db/database";
import { type Dialect, type SqlValue, sqlJson } from "@/lib/server/platform/db/dialect";
import type { SqlRow } from "@/lib/server/platform/db/sql-statement";
import type { SearchTerm } from "./fold-texts";
import { gramsOf, hasGrams, quoted } from "./grams";
import { Statement } from "./search-statement";

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
  const statement = new Statement();
  const source = indexed(statement, database.dialect, words);
  if (source === null) return null;
  const rows = await readByIndex<IndexedText>(
    database,
    `select ${source.id} as "id" from ${source.index} where ${source.where.join(" and ")} limit ${most}`,
    statement.parameters,
  );
  return rows.length < most ? rows : null;
}

/**
 * Postgres takes reading all rows for cheaper than its index, because it does not count that it unpacks the groups of
 * letters of each message for that: ten times the work.
 */
async function readByIndex<Row extends object = SqlRow>(
  database: Database,
  sql: string,
  parameters: readonly SqlValue[],
): Promise<Row[]> {
  if (database.dialect.provider !== "postgresql") return database.readAside<Row>(sql, parameters);
  const [, rows = []] = await database.runAll([
    { sql: "set local enable_seqscan = off", parameters: [] },
    { sql, parameters },
  ]);
  return rows as Row[];
}

export function messagesNamed(statement: Statement, dialect: Dialect, found: readonly IndexedText[]) {
  const rows = dialect.rows("c", { id: "text" }, statement.add(sqlJson(found)));
  return { from: `${rows} cross join "transcript_message" m`, joins: [`m."id" = c."id"`] };
}

/** These messages: so the index is read only once. */
export function named(statement: Statement, dialect: Dialect, found: readonly IndexedText[]) {
  if (dialect.provider === "postgresql") return messagesNamed(statement, dialect, found);
  const ids = statement.add(sqlJson(found));
  return {
    from: `${dialect.rows("c", { id: "integer" }, ids)} cross join "search_message" s cross join "transcript_message" m`,
    joins: [`s."id" = c."id"`, `m."id" = s."messageId"`],
  };
}

/** Messages that may have all the texts according to the index; null if it can't tell. */
function indexed(statement: Statement, { provider }: Dialect, terms: readonly SearchTerm[]) {
  const options = terms.map(({ folded, typed }) => (typed === null ? [folded] : [folded, typed]));
  if (provider === "postgresql") {
    const known = options.filter((texts) => texts.every(hasGrams));
    if (known.length === 0) return null;
    const index = `"search_message" s`;
    const where = known.map(
      (texts) => `(${texts.map((text) => `s."grams" @@ search_query(${statement.add(text)})`).join(" or ")})`,
    );
    return { index, id: `s."messageId"`, where };
  }
  const known = options.map((texts) => texts.map(gramsOf)).filter((texts) => texts.every(({ length }) => length > 0));
  if (known.length === 0) return null;
  const index = `"search_text" x`;
  const match = known.map((texts) => `(${texts.map((grams) => `(${grams.map(quoted).join(" AND ")})`).join(" OR ")})`);
  return { index, id: `x."rowid"`, where: [`x."search_text" match ${statement.add(match.join(" AND "))}`] };
}

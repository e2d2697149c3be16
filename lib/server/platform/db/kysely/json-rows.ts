import { type Expression, type RawBuilder, sql } from "kysely";
import { type ColumnType, type Dialect, sqlJson } from "@/lib/server/platform/db/dialect";

/** What a column of JSON rows is read as. */
interface Types {
  readonly text: string | null;
  readonly integer: number | null;
  readonly float: number | null;
  readonly boolean: boolean | null;
  readonly timestamp: string | null;
  readonly json: string | null;
}

type Columns = Readonly<Record<string, ColumnType>>;

type JsonRow<Names extends Columns> = { [Name in keyof Names]: Types[Names[Name]] } & { ordinal: number };

/**
 * A table of `rows`, however many, as one parameter: `.innerJoin(jsonRows(…).as("wanted"), "wanted.id", "run.id")`. A
 * missing field is null; ordered by `ordinal`, the rows keep their order (first row: 1).
 */
export function jsonRows<Names extends Columns>(
  dialect: Dialect,
  columns: Names,
  rows: readonly Readonly<Partial<Record<keyof Names, unknown>>>[],
): RawBuilder<JsonRow<Names>> {
  return boundJsonRows(dialect, columns, sql<string>`${sqlJson(rows)}`);
}

/** A table of these ids. */
export function idRows(dialect: Dialect, ids: readonly string[]): RawBuilder<{ id: string; ordinal: number }> {
  const rows = ids.map((id) => ({ id }));
  return jsonRows(dialect, { id: "text" }, rows).$castTo<{ id: string; ordinal: number }>();
}

/** `jsonRows` for a hot statement, which binds `rows`: what `sqlJson` makes of them. */
export function boundJsonRows<Names extends Columns>(
  dialect: Dialect,
  columns: Names,
  rows: Expression<string>,
): RawBuilder<JsonRow<Names>> {
  const { before, after } = dialect.jsonRows(columns);
  return sql`${sql.raw(before)}${rows}${sql.raw(after)}`;
}

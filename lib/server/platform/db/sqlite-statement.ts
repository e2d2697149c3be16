import type Connection from "better-sqlite3";
import { sqlTimestamp } from "./dialect";
import type { SqlRow } from "./sql-statement";

const MAX_STATEMENTS = 500;
/** Longer texts are those of one insert of many rows, whose number changes. */
const MAX_CHARACTERS = 10_000;

/** Prepared statements by their text. */
export class StatementCache<Statement> {
  readonly #statements = new Map<string, Statement>();
  readonly #prepare: (sql: string) => Statement;

  constructor(prepare: (sql: string) => Statement) {
    this.#prepare = prepare;
  }

  /** Throws what preparing throws. */
  get(sql: string): Statement {
    const known = this.#statements.get(sql);
    if (known !== undefined) return known;
    const statement = this.#prepare(sql);
    if (sql.length > MAX_CHARACTERS) return statement;
    if (this.#statements.size >= MAX_STATEMENTS) this.#statements.clear();
    this.#statements.set(sql, statement);
    return statement;
  }
}

interface NamedStatement {
  readonly statement: Connection.Statement<unknown[], SqlRow>;
  readonly isRead: boolean;
  /** The names of its result's columns that are declared as booleans. */
  readonly flags: readonly string[];
}

export function withFlags(statement: Connection.Statement<unknown[], SqlRow>): NamedStatement {
  return { statement, isRead: statement.readonly, flags: flagsOf(statement.reader ? statement.columns() : []) };
}

/** The names of a result's columns that are declared as booleans. */
export function flagsOf(columns: readonly { readonly name: string; readonly type: string | null }[]): string[] {
  return columns.filter(({ type }) => type?.toUpperCase() === "BOOLEAN").map(({ name }) => name);
}

/** SQLite has no booleans: 0 and 1 become what Postgres returns. In place, because there may be thousands of rows. */
export function readFlags(rows: SqlRow[], flags: readonly string[]): SqlRow[] {
  for (const name of flags) {
    for (const row of rows) if (row[name] !== null) row[name] = row[name] !== 0;
  }
  return rows;
}

/** better-sqlite3 reads `$1` as the parameter named "1"; it accepts neither booleans nor dates. */
export function bindNamed(parameters: readonly unknown[]): Record<string, unknown> {
  const bound: Record<string, unknown> = {};
  for (const [index, value] of parameters.entries()) bound[index + 1] = toSqlite(value);
  return bound;
}

function toSqlite(value: unknown): unknown {
  if (typeof value === "boolean") return value ? 1 : 0;
  return value instanceof Date ? sqlTimestamp(value) : value;
}

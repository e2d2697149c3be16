import { type ColumnType, type Dialect, type SqlValue, sqlJson, sqlTimestamp } from "./dialect";
import type { SqlStatement } from "./sql-statement";

type Values = Readonly<Record<string, SqlValue>>;

/** Adds to a number column instead of setting it; null makes it null ("unknown"). */
export interface Increment {
  readonly increment: number;
}

/** One new row. Omitted columns get the database's default, which only numbers and texts have. */
export function insertRow(table: string, values: Values): SqlStatement {
  const columns = Object.keys(values);
  const places = columns.map((_, index) => `$${index + 1}`);
  return {
    sql: `insert into "${table}" (${quote(columns)}) values (${places.join(", ")})`,
    parameters: Object.values(values),
  };
}

/** New rows in one statement, whose text does not depend on their number. Dates are written as timestamps. */
export function insertRows<Columns extends Readonly<Record<string, ColumnType>>>(
  dialect: Dialect,
  table: string,
  columns: Columns,
  rows: readonly Readonly<Record<keyof Columns, SqlValue>>[],
): SqlStatement {
  const names = Object.keys(columns);
  const selected = names.map((name) => `r."${name}"`).join(", ");
  return {
    sql: `insert into "${table}" (${quote(names)}) select ${selected} from ${dialect.rows("r", columns, "$1")} where true`,
    parameters: [sqlJson(rows.map(toJsonRow))],
  };
}

/** Changes the rows whose columns equal `where`. */
export function updateRows(
  table: string,
  where: Values,
  set: Readonly<Record<string, SqlValue | Increment>>,
): SqlStatement {
  const parameters: SqlValue[] = [];
  const place = (value: SqlValue) => `$${parameters.push(value)}`;
  const changes = Object.entries(set).map(([name, value]) => {
    if (isIncrement(value)) return `"${name}" = "${name}" + ${place(value.increment)}`;
    return `"${name}" = ${place(value)}`;
  });
  const conditions = Object.entries(where).map(([name, value]) => `"${name}" = ${place(value)}`);
  return { sql: `update "${table}" set ${changes.join(", ")} where ${conditions.join(" and ")}`, parameters };
}

function isIncrement(value: SqlValue | Increment): value is Increment {
  return typeof value === "object" && value !== null && "increment" in value;
}

function quote(names: readonly string[]): string {
  return names.map((name) => `"${name}"`).join(", ");
}

function toJsonRow(row: Readonly<Record<string, SqlValue>>): Record<string, SqlValue> {
  return Object.fromEntries(
    Object.entries(row).map(([name, value]) => [name, value instanceof Date ? sqlTimestamp(value) : value]),
  );
}

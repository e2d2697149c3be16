import { fold } from "@/lib/schema/fold";

/**
 * The values that a raw statement may bind. A Date is written exactly as Prisma writes it; a boolean is 0 or 1 on
 * SQLite.
 */
export type SqlValue = string | number | bigint | boolean | Uint8Array | Date | null;

/**
 * Type of one field of a JSON row; `timestamp` is the text of `sqlTimestamp`, `json` is any value, kept as JSON text.
 */
export type ColumnType = "text" | "integer" | "float" | "boolean" | "timestamp" | "json";

/** A FROM item with the parameter between its two parts. */
interface JsonRows {
  readonly before: string;
  readonly after: string;
}

/** The few differences between raw statements on the two databases; the rest of the SQL is the same for both. */
export interface Dialect {
  readonly provider: "sqlite" | "postgresql";
  /**
   * A FROM item that reads the JSON array bound to `parameter` (`$1`) as rows called `alias`, one column per entry of
   * `columns`: `insert into "span" (…) select r."id", … from ${rows("r", {id: "text"}, "$1")}`. Bind `sqlJson(array)`.
   * A missing field is NULL. `order by r."ordinal"` keeps the array's order (first row: 1).
   */
  rows(alias: string, columns: Readonly<Record<string, ColumnType>>, parameter: string): string;
  /** The same without the alias, for statements of Kysely's (`jsonRows`). */
  jsonRows(columns: Readonly<Record<string, ColumnType>>): JsonRows;
  /**
   * The time by the database's clock, which all processes share, in the format of a timestamp column; with `parameter`
   * (`$1`), that many ms later.
   */
  clock(parameter?: string): string;
}

/**
 * A Prisma condition: one of the columns, or their folded text, contains `text`, however it is written. What is not
 * folded yet is found as it is written there.
 */
export function findsText<Column extends string>(dialect: Dialect, text: string, columns: readonly Column[]) {
  const folded = containsText(dialect, fold(text));
  const options = fold(text) === text ? [folded] : [folded, containsText(dialect, text)];
  return [{ folded }, ...columns.flatMap((column) => options.map((contains) => ({ [column]: contains })))];
}

/**
 * A Prisma condition: the column contains `text`, ignoring case. SQLite ignores ASCII case anyway. Prisma passes the
 * text to LIKE unchanged, so its wildcards are escaped here; for SQLite, `sqlite.ts` names the escape character.
 */
export function containsText({ provider }: Dialect, text: string) {
  const literal = text.replaceAll(/[\\%_]/g, "\\$&");
  return { contains: literal, ...(provider === "postgresql" ? { mode: "insensitive" } : {}) };
}

/**
 * `date` in the format that both databases accept and compare in raw statements: ISO text in UTC, as Prisma stores it
 * on SQLite.
 */
export function sqlTimestamp(date: Date): string {
  const ms = date.getTime();
  const second = Math.floor(ms / 1000);
  if (second !== latestSecond) {
    latestText = date.toISOString().slice(0, -"000Z".length);
    latestSecond = second;
  }
  return `${latestText}${String(ms - second * 1000).padStart(3, "0")}+00:00`;
}

/** Most timestamps of one statement fall in the same second. */
let latestSecond = Number.NaN;
let latestText = "";

/**
 * `value` as JSON that both databases accept: Postgres refuses NUL and lone surrogates in JSON, so they become U+FFFD
 * (JSON.stringify writes only lone surrogates as escapes). JSON text inside a field is unchanged.
 */
export function sqlJson(value: unknown): string {
  const json = JSON.stringify(value);
  if (!json.includes("\\u")) return json;
  return json.replace(
    /(\\\\)|\\u(?:0000|d[89a-f][0-9a-f]{2})/g,
    (_, escapedBackslash) => escapedBackslash ?? "\\ufffd",
  );
}

/** A timestamp that a raw statement returned (text on both databases) as a Date; null stays null. */
export function parseTimestamp(value: string): Date;
export function parseTimestamp(value: string | null): Date | null;
export function parseTimestamp(value: string | null): Date | null {
  return value === null ? null : new Date(value);
}

export const sqliteDialect: Dialect = {
  provider: "sqlite",
  rows: (alias, columns, parameter) => textOf(sqliteDialect.jsonRows(columns), alias, parameter),
  jsonRows(columns) {
    const fields = Object.entries(columns).map(([name, type]) => `${sqliteField(name, type)} as "${name}"`);
    return { before: `(select ${fields.join(", ")}, "key" + 1 as "ordinal" from jsonb_each(`, after: "))" };
  },
  clock: (parameter) =>
    `strftime('%Y-%m-%dT%H:%M:%f+00:00', 'now'${parameter === undefined ? "" : `, (${parameter} / 1000.0) || ' seconds'`})`,
};

export const postgresDialect: Dialect = {
  provider: "postgresql",
  rows: (alias, columns, parameter) => textOf(postgresDialect.jsonRows(columns), alias, parameter),
  jsonRows(columns) {
    const fields = Object.entries(columns).map(([name, type]) => `${postgresField(name, type)} as "${name}"`);
    return {
      before: `(select ${fields.join(", ")}, item.ordinal as "ordinal" from json_array_elements(`,
      after: "::json) with ordinality as item(value, ordinal))",
    };
  },
  clock: (parameter) =>
    `((now() at time zone 'utc')${parameter === undefined ? "" : ` + cast(${parameter} as float) * interval '1 millisecond'`})`,
};

function textOf({ before, after }: JsonRows, alias: string, parameter: string): string {
  return `${before}${parameter}${after} as ${alias}`;
}

function sqliteField(name: string, type: ColumnType): string {
  return type === "json" ? `"value" -> '$."${name}"'` : `"value" ->> '$."${name}"'`;
}

const POSTGRES_TYPES: Readonly<Record<Exclude<ColumnType, "json">, string>> = {
  text: "text",
  integer: "bigint",
  float: "double precision",
  boolean: "boolean",
  timestamp: "timestamp(3)",
};

function postgresField(name: string, type: ColumnType): string {
  return type === "json" ? `(item.value -> '${name}')::text` : `(item.value ->> '${name}')::${POSTGRES_TYPES[type]}`;
}

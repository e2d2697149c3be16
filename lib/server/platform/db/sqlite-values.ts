// The public contract of @prisma/driver-adapter-utils: what Prisma hands over and wants back.
import {
  type ArgScalarType,
  type ColumnType,
  ColumnTypeEnum,
  DriverAdapterError,
  type MappedError,
  type SqlResultSet,
} from "@prisma/driver-adapter-utils";
import { sqlTimestamp } from "./dialect";
import type { ExactRows, SqliteValue } from "./sqlite-connection";

/** The types that Prisma's migrations declare on SQLite. */
const DECLARED: Readonly<Record<string, ColumnType>> = {
  TEXT: ColumnTypeEnum.Text,
  INTEGER: ColumnTypeEnum.Int32,
  BIGINT: ColumnTypeEnum.Int64,
  BOOLEAN: ColumnTypeEnum.Boolean,
  REAL: ColumnTypeEnum.Double,
  DECIMAL: ColumnTypeEnum.Numeric,
  DATETIME: ColumnTypeEnum.DateTime,
  BLOB: ColumnTypeEnum.Bytes,
  JSONB: ColumnTypeEnum.Json,
};

/** An argument of Prisma as better-sqlite3 binds it. */
export function toSqliteValue(value: unknown, type: ArgScalarType | undefined): SqliteValue {
  if (value === null || value === undefined) return null;
  if (typeof value === "boolean") return value ? 1 : 0;
  if (value instanceof Date) return sqlTimestamp(value);
  if (typeof value === "string") return parseText(value, type);
  if (typeof value === "number" || typeof value === "bigint" || value instanceof Uint8Array) return value;
  throw new TypeError(`SQLite can't store ${typeof value} as ${type ?? "a parameter"}.`);
}

function parseText(text: string, type: ArgScalarType | undefined): SqliteValue {
  switch (type) {
    case "int":
      return Number.parseInt(text, 10);
    case "float":
    case "decimal":
      return Number.parseFloat(text);
    case "bigint":
      return BigInt(text);
    case "datetime":
      return sqlTimestamp(new Date(text));
    case "bytes":
      return Buffer.from(text, "base64");
    default:
      return text;
  }
}

export function toResultSet({ columns, rows }: ExactRows): SqlResultSet {
  const columnTypes = columns.map(
    ({ type }, index) => DECLARED[type?.toUpperCase() ?? ""] ?? typeOfValues(rows, index),
  );
  return {
    columnNames: columns.map(({ name }) => name),
    columnTypes,
    rows: rows.map((row) => row.map((value, index) => toPrismaValue(value, columnTypes[index]))),
  };
}

/** Of an expression, whose type nothing declares. */
function typeOfValues(rows: ExactRows["rows"], index: number): ColumnType {
  const value = rows.find((row) => row[index] !== null)?.[index];
  if (typeof value === "string") return ColumnTypeEnum.Text;
  if (typeof value === "bigint") return ColumnTypeEnum.Int64;
  if (typeof value === "number") return ColumnTypeEnum.UnknownNumber;
  return value instanceof Uint8Array ? ColumnTypeEnum.Bytes : ColumnTypeEnum.Int32;
}

function toPrismaValue(value: SqliteValue | undefined, type: ColumnType | undefined): unknown {
  if (typeof value === "bigint") {
    if (type === ColumnTypeEnum.DateTime) return new Date(Number(value)).toISOString();
    const number = Number(value);
    return Number.isSafeInteger(number) ? number : value.toString();
  }
  if (typeof value !== "number") return value;
  if (type === ColumnTypeEnum.DateTime) return new Date(value).toISOString();
  return type === ColumnTypeEnum.Int32 || type === ColumnTypeEnum.Int64 ? Math.trunc(value) : value;
}

/** better-sqlite3's error as Prisma's; any other stays as it is. */
export function toDriverError(error: unknown): unknown {
  if (!(error instanceof Error && "code" in error && typeof error.code === "string")) return error;
  if (error instanceof DriverAdapterError) return error;
  const { code: originalCode, message: originalMessage } = error;
  return new DriverAdapterError({ ...explain(originalCode, originalMessage), originalCode, originalMessage });
}

function explain(code: string, message: string): MappedError {
  if (code === "SQLITE_CONSTRAINT_UNIQUE" || code === "SQLITE_CONSTRAINT_PRIMARYKEY") {
    return { kind: "UniqueConstraintViolation", ...violated(message) };
  }
  if (code === "SQLITE_CONSTRAINT_NOTNULL") {
    return { kind: "NullConstraintViolation", constraint: violated(message).constraint };
  }
  // Prisma calls what a trigger refuses by the same name.
  if (code === "SQLITE_CONSTRAINT_FOREIGNKEY" || code === "SQLITE_CONSTRAINT_TRIGGER") {
    return { kind: "ForeignKeyConstraintViolation", constraint: { foreignKey: {} } };
  }
  if (code.startsWith("SQLITE_BUSY")) return { kind: "SocketTimeout" };
  const table = textAfter("no such table: ", message);
  if (table !== null) return { kind: "TableDoesNotExist", table };
  const column = textAfter("no such column: ", message) ?? textAfter(" has no column named ", message);
  if (column !== null) return { kind: "ColumnNotFound", column };
  return { kind: "sqlite", extendedCode: 1, message };
}

function textAfter(words: string, message: string): string | null {
  const at = message.indexOf(words);
  return at === -1 ? null : message.slice(at + words.length);
}

/** "UNIQUE constraint failed: run.threadId, run.position" */
function violated(message: string) {
  const columns = message.split("constraint failed: ")[1]?.split(", ") ?? [];
  const [table = ""] = columns.map((column) => column.split(".").slice(0, -1).join("."));
  return {
    constraint: { fields: columns.map((column) => column.split(".").at(-1) ?? column) },
    ...(table === "" ? {} : { table }),
  };
}

// The tables of prisma/sqlite/schema.prisma as Kysely's types: what a statement takes and what both drivers return.
const HEADER = `// Generated from prisma/sqlite/schema.prisma by \`npm run db:generate\`.
import type { ColumnType, Generated } from "kysely";

/** ISO text in UTC as \`sqlTimestamp\` writes it; a Date may be stored, but has to be compared as text. */
export type Timestamp = ColumnType<string, Date | string, Date | string>;
`;

/** Relations have no column, so their models are no types of columns. */
const TYPES: ReadonlyMap<string, string> = new Map([
  ["String", "string"],
  ["Int", "number"],
  ["Float", "number"],
  ["Boolean", "boolean"],
  ["DateTime", "Timestamp"],
  ["Bytes", "Uint8Array"],
]);

interface Model {
  readonly name: string;
  readonly table: string;
  readonly columns: readonly string[];
}

/** The module of types that belongs to the text of a schema. */
export function toTables(schema: string): string {
  const blocks = [...schema.matchAll(/^model (\w+) \{\n(.*?)^\}/gms)];
  const names = new Set(blocks.map(([, name = ""]) => name));
  const models = blocks.map(([, name = "", body = ""]) => toModel(name, body, names));
  const tables = models.map(({ name, table }) => `  ${table}: ${name}Table;`);
  const interfaces = models.map(
    ({ name, columns }) => `interface ${name}Table {\n${columns.map((column) => `  ${column};`).join("\n")}\n}\n`,
  );
  return [HEADER, ...interfaces, `export interface Tables {\n${tables.join("\n")}\n}\n`].join("\n");
}

function toModel(name: string, body: string, models: ReadonlySet<string>): Model {
  const lines = body.split("\n").map((line) => line.trim());
  const fields = lines.filter((line) => /^\w/.test(line));
  const table = lines.map((line) => /^@@map\("(\w+)"\)/.exec(line)?.[1]).find((found) => found !== undefined);
  return { name, table: table ?? name, columns: fields.flatMap((field) => toColumn(field, models)) };
}

function toColumn(field: string, models: ReadonlySet<string>): string[] {
  const [, name = "", typeName = "", suffix = "", attributes = ""] =
    /^(\w+)\s+(\w+)(\?|\[\])?\s*(.*)$/.exec(field) ?? [];
  if (models.has(typeName)) return [];
  const type = TYPES.get(typeName);
  if (type === undefined || suffix === "[]" || attributes.includes("@map(")) {
    throw new Error(`scripts/database/table-types.ts does not know this field of the schema: ${field}`);
  }
  return [`${name}: ${columnType(type, suffix === "?", attributes)}`];
}

/** The database sets defaults that are numbers, texts or flags; \`now()\` and \`@updatedAt\` are Prisma's own. */
function columnType(type: string, isNullable: boolean, attributes: string): string {
  const full = isNullable ? `${type} | null` : type;
  return /@default\((?!now\(\))/.test(attributes) ? `Generated<${full}>` : full;
}

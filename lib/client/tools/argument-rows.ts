type Json = Readonly<Record<string, unknown>>;

export const ARGUMENT_TYPES = [
  { id: "string", name: "Text" },
  { id: "integer", name: "Whole number" },
  { id: "number", name: "Number" },
  { id: "boolean", name: "Yes or no" },
  { id: "choice", name: "One of" },
  { id: "list", name: "List of texts" },
] as const;
type ArgumentType = (typeof ARGUMENT_TYPES)[number]["id"];

/** An argument as a row of a table. `choices` are separated by commas, and only of a choice. */
export interface ArgumentRow {
  readonly name: string;
  readonly type: ArgumentType;
  readonly choices: string;
  readonly description: string;
  readonly isRequired: boolean;
}

/** The rows of a JSON Schema; null if it says something that a row does not show. */
export function readArgumentRows(schema: Json): ArgumentRow[] | null {
  const { type, properties = {}, required = [], ...rest } = schema;
  if (type !== "object" || !isObject(properties) || !Array.isArray(required) || Object.keys(rest).length > 0)
    return null;
  const rows: ArgumentRow[] = [];
  for (const [name, field] of Object.entries(properties)) {
    const row = readRow(field);
    if (row === null) return null;
    rows.push({ name, ...row, isRequired: required.includes(name) });
  }
  return rows;
}

function readRow(field: unknown): Pick<ArgumentRow, "type" | "choices" | "description"> | null {
  if (!isObject(field)) return null;
  const { type, description = "", enum: choices, items, ...rest } = field;
  if (typeof description !== "string" || Object.keys(rest).length > 0) return null;
  if (choices !== undefined) {
    const isPlain = type === "string" && Array.isArray(choices) && choices.every(isPlainChoice);
    return isPlain ? { type: "choice", choices: choices.join(", "), description } : null;
  }
  if (type === "array") return isTextList(items) ? { type: "list", choices: "", description } : null;
  const known = ARGUMENT_TYPES.find(({ id }) => id === type && id !== "choice" && id !== "list");
  return known && items === undefined ? { type: known.id, choices: "", description } : null;
}

/** As JSON Schema. Rows without a name are left out. */
export function writeArgumentRows(rows: readonly ArgumentRow[]): Json {
  const named = rows.filter(({ name }) => name !== "");
  const required = named.filter(({ isRequired }) => isRequired).map(({ name }) => name);
  return {
    type: "object",
    properties: Object.fromEntries(named.map((row) => [row.name, writeField(row)])),
    ...(required.length > 0 ? { required } : {}),
  };
}

function writeField({ type, choices, description }: ArgumentRow): Json {
  const words = description === "" ? {} : { description };
  if (type === "list") return { type: "array", items: { type: "string" }, ...words };
  if (type !== "choice") return { type, ...words };
  const values = choices
    .split(",")
    .map((choice) => choice.trim())
    .filter((choice) => choice !== "");
  return values.length === 0 ? { type: "string", ...words } : { type: "string", enum: [...new Set(values)], ...words };
}

function isPlainChoice(choice: unknown): boolean {
  return typeof choice === "string" && choice.trim() === choice && choice !== "" && !choice.includes(",");
}

function isTextList(items: unknown): boolean {
  return isObject(items) && items.type === "string" && Object.keys(items).length === 1;
}

function isObject(value: unknown): value is Json {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

type Json = Record<string, unknown>;

const MAX_DEPTH = 6;

/** The fields of a JSON Schema object, one per line: `title: string`, `tags?: string[]`, each with its description. */
export function schemaLines(schema: unknown, depth = 0): string[] {
  if (!isObject(schema) || !isObject(schema.properties) || depth > MAX_DEPTH) return [];
  const required = Array.isArray(schema.required) ? schema.required : [];
  return Object.entries(schema.properties).flatMap(([name, field]) => {
    const indent = "  ".repeat(depth);
    const words = isObject(field) && typeof field.description === "string" ? `  # ${oneLine(field.description)}` : "";
    const line = `${indent}${name}${required.includes(name) ? "" : "?"}: ${typeText(field)}${words}`;
    const inner = isObject(field) && isObject(field.items) ? field.items : field;
    return [line, ...schemaLines(inner, depth + 1)];
  });
}

/** Everything else in a schema: two that differ only here still differ for the model. */
export function restOfSchema(schema: Json): string {
  const { properties: _, required: __, type: ___, ...rest } = schema;
  return Object.keys(rest).length === 0 ? "" : JSON.stringify(rest, null, 2);
}

function typeText(field: unknown): string {
  if (!isObject(field)) return String(field);
  if ("const" in field) return JSON.stringify(field.const);
  if (Array.isArray(field.enum)) return field.enum.map((value) => JSON.stringify(value)).join(" | ");
  const choices = [field.anyOf, field.oneOf, field.allOf].find(Array.isArray);
  if (choices) return choices.map(typeText).join(field.allOf === choices ? " & " : " | ");
  const { type } = field;
  if (type === "array") return `${typeText(field.items ?? {})}[]${limits(field)}`;
  if (Array.isArray(type)) return type.join(" | ") + limits(field);
  return `${typeof type === "string" ? type : "any"}${limits(field)}`;
}

const LIMITS = [
  "minimum",
  "maximum",
  "minLength",
  "maxLength",
  "minItems",
  "maxItems",
  "pattern",
  "format",
  "default",
  "additionalProperties",
];

function limits(field: Json): string {
  const said = LIMITS.filter((name) => name in field).map((name) => `${name} ${JSON.stringify(field[name])}`);
  return said.length === 0 ? "" : ` (${said.join(", ")})`;
}

function isObject(value: unknown): value is Json {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function oneLine(text: string): string {
  return text.replace(/\s+/gu, " ").trim();
}

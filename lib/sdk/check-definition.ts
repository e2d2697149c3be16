import { z } from "zod";

export type JsonSchema = z.core.JSONSchema.BaseSchema;

const NAME = /^[a-zA-Z][a-zA-Z0-9_-]{0,63}$/;

/** Validates a definition. Throws in the author's own code, saying what is wrong. */
export function checkDefinition(by: string, name: unknown, functions: Readonly<Record<string, unknown>>): void {
  if (typeof name !== "string" || !NAME.test(name)) {
    throw new TypeError(
      `${by}: name must be 1 to 64 letters, digits, - or _ and begin with a letter; it is ${JSON.stringify(name)}.`,
    );
  }
  for (const [field, value] of Object.entries(functions)) {
    if (typeof value !== "function") throw new TypeError(`${by} ${name}: ${field} must be a function.`);
  }
}

/** The JSON Schema of a zod schema, for the editor and for models. */
export function toJsonSchema(by: string, name: string, schema: unknown): JsonSchema {
  if (!(schema instanceof z.ZodType)) {
    throw new TypeError(`${by} ${name}: the schema must be made with z, such as z.object({}).`);
  }
  const { $schema: _, ...document } = z.toJSONSchema(schema, { io: "input", unrepresentable: "any" });
  return document;
}

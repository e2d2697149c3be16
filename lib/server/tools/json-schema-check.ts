import { z } from "zod";

/** The validator described by a JSON Schema. Throws if the schema cannot be compiled. */
export function readParameters(parameters: Record<string, unknown>): z.ZodType {
  const schema = withoutPatterns(parameters) as z.core.JSONSchema.JSONSchema;
  const check = z.fromJSONSchema(schema);
  check.safeParse({});
  return check;
}

const NAMED_SCHEMAS = ["properties", "$defs", "definitions"];

/** Removes patterns: foreign regular expressions never run in JavaScript's engine because one could block every run. */
function withoutPatterns(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(withoutPatterns);
  if (typeof schema !== "object" || schema === null) return schema;
  const kept = Object.entries(schema).filter(([key]) => key !== "pattern" && key !== "patternProperties");
  return Object.fromEntries(
    kept.map(([key, value]) => {
      const isMapOfSchemas = NAMED_SCHEMAS.includes(key) && typeof value === "object" && value !== null;
      if (!isMapOfSchemas) return [key, withoutPatterns(value)];
      return [key, Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, withoutPatterns(inner)]))];
    }),
  );
}

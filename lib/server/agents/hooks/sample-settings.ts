import type { z } from "zod";

type JsonSchema = z.core.JSONSchema.BaseSchema;

/**
 * The smallest settings that a hook's schema accepts: optional fields are omitted, each other field gets its first
 * example, its default, its first choice, or the shortest or smallest allowed value. Patterns are not solved: such a
 * field needs an example (`.meta({ examples: […] })`).
 */
export function sampleSettings(schema: JsonSchema): Readonly<Record<string, unknown>> {
  const { properties = {}, required = [] } = schema;
  return Object.fromEntries(required.map((name) => [name, sample(properties[name] ?? {})]));
}

function sample(schema: JsonSchema | boolean): unknown {
  if (typeof schema === "boolean") return null;
  const [given] = [...(schema.examples ?? []), schema.default, schema.const, ...(schema.enum ?? [])].filter(
    (value) => value !== undefined,
  );
  if (given !== undefined) return given;
  const [choice] = schema.anyOf ?? schema.oneOf ?? [];
  if (choice !== undefined) return sample(choice);
  return ofType(schema);
}

function ofType(schema: JsonSchema): unknown {
  switch (schema.type) {
    case "string":
      return FORMATS[schema.format ?? ""] ?? "x".repeat(Math.max(1, schema.minLength ?? 0));
    case "integer":
    case "number":
      return smallest(schema);
    case "boolean":
      return false;
    case "array":
      return Array.from({ length: schema.minItems ?? 0 }, () => sample(firstOf(schema.items)));
    case "object":
      return sampleSettings(schema);
    default:
      return null;
  }
}

function smallest({ minimum, exclusiveMinimum, maximum, multipleOf = 1 }: JsonSchema): number {
  const above = typeof exclusiveMinimum === "number" ? exclusiveMinimum + multipleOf : undefined;
  return minimum ?? above ?? Math.min(multipleOf, maximum ?? multipleOf);
}

function firstOf(items: JsonSchema["items"]): JsonSchema | boolean {
  return (Array.isArray(items) ? items[0] : items) ?? {};
}

const FORMATS: Readonly<Record<string, string>> = {
  email: "someone@example.org",
  uri: "https://example.org",
  date: "2026-01-01",
  time: "12:00:00",
  "date-time": "2026-01-01T12:00:00Z",
  uuid: "00000000-0000-4000-8000-000000000000",
};

import { expect, test } from "vitest";
import { z } from "zod";
import { describeIssues } from "./field-problems";

test.each<[z.ZodType, unknown, string]>([
  [z.string(), 7, "Must be a text, not a number."],
  [z.string(), ["a"], "Must be a text, not a list."],
  [z.string(), undefined, "Is missing: it must be a text."],
  [z.number(), "many", "Must be a number, not a text."],
  [z.number().int(), 1.5, "Must be a whole number."],
  [z.boolean(), "yes", "Must be true or false, not a text."],
  [z.array(z.string()), "a", "Must be a list, not a text."],
  [z.object({}), null, "Must be a group of fields, not null."],
  [z.record(z.string(), z.string()), "a", "Must be a group of fields, not a text."],
  [z.number().max(2), 9, "Must be at most 2."],
  [z.number().gt(0), 0, "Must be more than 0."],
  [z.number().int().min(1), 0, "Must be at least 1."],
  [z.string().min(1), "", "Must not be empty."],
  [z.string().max(1_000), "x".repeat(1_001), "Must have at most 1,000 characters."],
  [z.array(z.string()).max(2), ["a", "b", "c"], "Must have at most 2 entries."],
  [z.enum(["state", "local"]), "disk", 'Must be "state" or "local".'],
  [z.literal(1), 2, "Must be 1."],
  [z.union([z.array(z.string()), z.strictObject({})]), 7, "Must be a list or a group of fields."],
  [z.email(), "x", "Must be an email address."],
  [z.string().regex(/^a$/, "must be an a"), "b", "must be an a"],
])("%s of %j is refused with what to write", (schema, value, message) => {
  const parsed = schema.safeParse(value);
  expect(parsed.success ? [] : describeIssues(parsed.error, schema).map((found) => found.message)).toEqual([message]);
});

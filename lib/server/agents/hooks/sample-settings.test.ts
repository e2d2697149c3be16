import { expect, test } from "vitest";
import { z } from "zod";
import { sampleSettings } from "./sample-settings";

const LEVELS = z.enum(["low", "high"]);

test.each<[string, z.ZodType, unknown]>([
  ["no settings", z.object({}), {}],
  ["what may be left out", z.object({ a: z.string().default("b"), c: z.number().optional() }), {}],
  ["a text of a length", z.object({ word: z.string().min(3) }), { word: "xxx" }],
  [
    "numbers with bounds",
    z.object({ a: z.number().gt(2), b: z.int().min(5), c: z.number().max(0.5) }),
    { a: 3, b: 5, c: 0.5 },
  ],
  [
    "choices",
    z.object({ level: LEVELS, only: z.literal(7), either: z.union([z.boolean(), LEVELS]) }),
    { level: "low", only: 7, either: false },
  ],
  ["lists and groups", z.object({ some: z.array(z.object({ id: z.string() })).min(1) }), { some: [{ id: "x" }] }],
  [
    "an address",
    z.object({ mail: z.email(), at: z.url() }),
    { mail: "someone@example.org", at: "https://example.org" },
  ],
  [
    "a pattern with an example",
    z.object({
      key: z
        .string()
        .regex(/^k-/)
        .meta({ examples: ["k-1"] }),
    }),
    { key: "k-1" },
  ],
])("%s gets the smallest settings that its schema accepts", (_, schema, settings) => {
  const found = sampleSettings(z.toJSONSchema(schema, { io: "input" }));
  expect(found).toEqual(settings);
  expect(schema.safeParse(found).success).toBe(true);
});

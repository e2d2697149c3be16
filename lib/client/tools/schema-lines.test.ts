import { expect, it } from "vitest";
import { restOfSchema, schemaLines } from "./schema-lines";

it("says each field of a schema on a line of its own, with everything that a model reads of it", () => {
  const schema = {
    type: "object",
    required: ["title"],
    properties: {
      title: { type: "string", description: "What it\n is called", maxLength: 80 },
      tags: { type: "array", items: { type: "string" } },
      state: { enum: ["open", "closed"] },
      by: { type: "object", properties: { name: { type: "string" } }, required: ["name"] },
      id: { anyOf: [{ type: "string" }, { type: "integer" }] },
    },
  };
  expect(schemaLines(schema)).toEqual([
    "title: string (maxLength 80)  # What it is called",
    "tags?: string[]",
    'state?: "open" | "closed"',
    "by?: object",
    "  name: string",
    "id?: string | integer",
  ]);
  expect(restOfSchema(schema)).toBe("");
  expect(restOfSchema({ type: "object", additionalProperties: false })).toContain("additionalProperties");
});

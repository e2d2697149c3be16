import { expect, it } from "vitest";
import { readArgumentRows, writeArgumentRows } from "./argument-rows";

const SCHEMA = {
  type: "object",
  properties: {
    city: { type: "string", description: "Where" },
    days: { type: "integer" },
    metric: { type: "boolean" },
    sort: { type: "string", enum: ["new", "old"] },
    tags: { type: "array", items: { type: "string" } },
  },
  required: ["city"],
};

it("shows a plain schema as rows, and writes the same schema from them", () => {
  const rows = readArgumentRows(SCHEMA);
  expect(rows?.map(({ name, type, choices, isRequired }) => [name, type, choices, isRequired])).toEqual([
    ["city", "string", "", true],
    ["days", "integer", "", false],
    ["metric", "boolean", "", false],
    ["sort", "choice", "new, old", false],
    ["tags", "list", "", false],
  ]);
  expect(writeArgumentRows(rows ?? [])).toEqual(SCHEMA);
  expect(readArgumentRows({ type: "object" })).toEqual([]);
});

it.each([
  ["a limit", { type: "object", properties: { a: { type: "number", minimum: 0 } } }],
  ["an object", { type: "object", properties: { a: { type: "object" } } }],
  ["a list of numbers", { type: "object", properties: { a: { type: "array", items: { type: "number" } } } }],
  ["several types", { type: "object", properties: { a: { type: ["string", "null"] } } }],
  ["a choice with a comma", { type: "object", properties: { a: { type: "string", enum: ["a,b"] } } }],
  ["a rule about other fields", { type: "object", additionalProperties: false }],
  ["no object", { type: "string" }],
])("leaves a schema with %s as text", (_, schema) => {
  expect(readArgumentRows(schema)).toBeNull();
});

it("leaves out a row that has no name yet, and takes each choice once", () => {
  const row = { type: "choice" as const, choices: "a, b,, a ", description: "", isRequired: true };
  expect(
    writeArgumentRows([
      { ...row, name: "" },
      { ...row, name: "sort" },
    ]),
  ).toEqual({
    type: "object",
    properties: { sort: { type: "string", enum: ["a", "b"] } },
    required: ["sort"],
  });
});

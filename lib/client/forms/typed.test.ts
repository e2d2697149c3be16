import { expect, it } from "vitest";
import { z } from "zod";
import { typedAmount, typedJson, typedNullable, typedOptional } from "./typed";

const SCHEMAS = {
  amount: typedAmount(z.number().positive().nullable()),
  optional: typedOptional(z.string().min(2).optional()),
  nullable: typedNullable(z.string().min(2).nullable()),
  json: typedJson(z.record(z.string(), z.unknown())),
};

it.each<[keyof typeof SCHEMAS, string, unknown]>([
  ["amount", "12,5", 12.5],
  ["amount", "12.50", 12.5],
  ["amount", "$1,000.5", 1000.5],
  ["amount", "1,000,000", 1_000_000],
  ["amount", " ", null],
  ["optional", "", undefined],
  ["optional", "ab", "ab"],
  ["nullable", " ", null],
  ["nullable", " ab ", "ab"],
  ["json", "", {}],
  ["json", '{"a": 1}', { a: 1 }],
])("reads as %s what is typed: %j is %j", (kind, text, value) => {
  expect(SCHEMAS[kind].parse(text)).toEqual(value);
});

it.each<[keyof typeof SCHEMAS, string]>([
  ["amount", "-1"],
  ["amount", "much"],
  ["amount", "1,00,000"],
  ["amount", "1.000,50"],
  ["optional", "a"],
  ["json", "[1]"],
  ["json", "{"],
])("refuses as %s what the request's schema would refuse: %j", (kind, text) => {
  expect(SCHEMAS[kind].safeParse(text).success).toBe(false);
});

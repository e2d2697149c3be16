import { expect, test } from "vitest";
import { z } from "zod";
import { AgentConfig } from "@/lib/schema/agents/agent-config";
import { describeIssues } from "./field-problems";

function problemsOf(schema: z.ZodType, value: unknown) {
  const parsed = schema.safeParse(value);
  return parsed.success ? [] : describeIssues(parsed.error, schema).map(({ path, message }) => ({ path, message }));
}

test("reports an unknown field with the nearest known name", () => {
  expect(problemsOf(AgentConfig, { name: "A", sytem_prompt: "x" })).toEqual([
    { path: "sytem_prompt", message: 'Unknown field. Did you mean "system_prompt"?' },
  ]);
});

test("an unknown field that resembles none is reported without a guess", () => {
  const schema = z.strictObject({ origin: z.string().optional(), score: z.string().optional() });
  expect(problemsOf(schema, { limit: 1 })).toEqual([{ path: "limit", message: "Unknown field." }]);
  expect(problemsOf(schema, { orign: "x" })).toEqual([
    { path: "orign", message: 'Unknown field. Did you mean "origin"?' },
  ]);
});

test("a field of a union's other variant is not suggested in its own place", () => {
  const schema = z.union([z.strictObject({ runIds: z.array(z.string()) }), z.strictObject({ filters: z.string() })]);
  expect(problemsOf(schema, { runIds: ["a"], filters: "x" })).toEqual([
    { path: "filters", message: "Can't be combined with the other fields." },
  ]);
});

test("an unknown field inside a nullable section is compared with that section's fields", () => {
  expect(problemsOf(AgentConfig, { name: "A", backend: { type: "state", workdri: "/w" } })).toEqual([
    { path: "backend.workdri", message: 'Unknown field. Did you mean "workdir"?' },
  ]);
});

test("a union reports the branch that was meant", () => {
  expect(problemsOf(AgentConfig, { name: "A", model: "gpt 5" })).toEqual([
    { path: "model", message: 'must look like "provider:model", or be the name of a model' },
  ]);
});

test("a problem inside an array has the index in its path", () => {
  expect(
    problemsOf(z.object({ list: z.array(z.strictObject({ a: z.number() })) }), { list: [{ a: 1 }, { a: "x" }] }),
  ).toEqual([{ path: "list.1.a", message: "Must be a number, not a text." }]);
});

test("of 60,000 unknown fields and 60,000 wrong items only the first 20 are described", () => {
  const schema = z.strictObject({ list: z.array(z.number()).optional() });
  const fields = Object.fromEntries(Array.from({ length: 60_000 }, (_, at) => [`unknown_${at}`, at]));
  expect(problemsOf(schema, fields)).toHaveLength(20);
  expect(problemsOf(schema, { list: Array.from({ length: 60_000 }, String) })).toHaveLength(20);
});

test("a name of a megabyte is not sent back whole, wherever it stands", () => {
  const long = "x".repeat(1_000_000);
  for (const value of [{ [long]: 1 }, { name: "A", [long]: 1 }, { name: "A", backend: { type: "state", [long]: 1 } }]) {
    const problems = problemsOf(AgentConfig, value);
    expect(problems.length).toBeGreaterThan(0);
    expect(JSON.stringify(problems).length).toBeLessThan(1_000);
  }
  expect(JSON.stringify(problemsOf(z.record(z.string().max(3), z.number()), { [long]: 1 })).length).toBeLessThan(1_000);
});

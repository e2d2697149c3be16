import { describe, expect, it } from "vitest";
import { z } from "zod";
import { toolCallFromText } from "@/lib/models/wire/tool-call-arguments";
import { runWith } from "@/lib/testing/scripted/run-with";
import { coerceArguments } from "./coerce-arguments";
import { readCalls } from "./read-arguments";
import { defineTool } from "./tool";
import { createToolbox } from "./toolbox";

const shape = {
  n: z.int().optional(),
  x: z.number().optional(),
  f: z.boolean().optional(),
  l: z.array(z.string()).optional(),
  o: z.object({ x: z.number(), deep: z.array(z.object({ n: z.int() })).optional() }).optional(),
  s: z.string().optional(),
  either: z.union([z.number(), z.string()]).optional(),
  none: z.number().nullable().optional(),
  any: z.unknown().optional(),
};

function echo(annotations: { readOnly?: boolean; idempotent?: boolean } = {}) {
  const seen: unknown[] = [];
  const tool = defineTool({
    name: "echo",
    description: "Echoes.",
    input: z.object(shape),
    annotations,
    execute(args) {
      seen.push(args);
      return Promise.resolve("done");
    },
  });
  return { seen, tool };
}

/** What the tool got, and what the model reads. */
async function call(rawArgs: string, annotations?: Parameters<typeof echo>[0]) {
  const { seen, tool } = echo(annotations);
  const { events } = await runWith([{ calls: [{ name: "echo", rawArgs }] }, { text: "ok" }], { tools: [tool] });
  const results = events.flatMap((event) => (event.type === "tool.result" ? [event.result] : []));
  const calls = events.flatMap((event) => (event.type === "tool.call" ? [event.call] : []));
  return { seen, calls, errors: results.map(({ error }) => error) };
}

describe("arguments of another type than the schema wants", () => {
  it.each<[string, unknown, string[]]>([
    ['{"n":"5"}', { n: 5 }, ["n"]],
    ['{"n":"-5"}', { n: -5 }, ["n"]],
    ['{"x":"0.5"}', { x: 0.5 }, ["x"]],
    ['{"f":"true"}', { f: true }, ["f"]],
    ['{"l":"[\\"a\\"]"}', { l: ["a"] }, ["l"]],
    ['{"o":"{\\"x\\":1}"}', { o: { x: 1 } }, ["o"]],
    ['{"o":{"x":"1"}}', { o: { x: 1 } }, ["o.x"]],
    [
      '{"o":"{\\"x\\":\\"1\\",\\"deep\\":\\"[{\\\\\\"n\\\\\\":\\\\\\"2\\\\\\"}]\\"}"}',
      { o: { x: 1, deep: [{ n: 2 }] } },
      ["o", "o.x", "o.deep", "o.deep.0.n"],
    ],
    ['{"n":"5","s":"7","either":"8","any":"9"}', { n: 5, s: "7", either: "8", any: "9" }, ["n"]],
    ['{"n":null,"none":null}', { none: null }, ["n"]],
    ['"{\\"n\\":5}"', { n: 5 }, ["whole text"]],
    ['"{\\"n\\":\\"5\\"}"', { n: 5 }, ["whole text", "n"]],
    ['```json\n{"n":5}\n```', { n: 5 }, ["whole text"]],
    ['```\n{"n":5}```', { n: 5 }, ["whole text"]],
    ['  {"n":5}{"n":5}', { n: 5 }, ["whole text"]],
    ['{}{"n":5}', { n: 5 }, ["whole text"]],
    ['{"n":5}\n{"n":5,"s":"a"}', { n: 5, s: "a" }, ["whole text"]],
  ])("%s are read as what they say", async (rawArgs, args, coerced) => {
    const { seen, calls } = await call(rawArgs);
    expect(seen).toEqual([args]);
    expect(calls).toMatchObject([{ args, coerced, rawArgs }]);
  });

  it.each([
    ["fits already", '{"s":"5","n":5}'],
    ["is text in a text", '{"s":"[1]"}'],
  ])("are left as they are: what %s", async (_, rawArgs) => {
    const { seen, calls } = await call(rawArgs);
    expect(seen).toEqual([JSON.parse(rawArgs)]);
    expect(calls[0]).not.toHaveProperty("coerced");
  });

  it.each([
    ["a number with other digits", '{"n":"007"}'],
    ["a number in other words", '{"n":"1e3"}'],
    ["a number with a space", '{"n":" 5"}'],
    ["a fraction for an integer", '{"n":"5.5"}'],
    ["an integer that loses digits", '{"n":"9007199254740993"}'],
    ["Infinity", '{"x":"Infinity"}'],
    ["a word for a boolean", '{"f":"yes"}'],
    ["True in capitals", '{"f":"True"}'],
    ["a list that is not JSON", '{"l":"[a]"}'],
    ["a list with commas", '{"l":"a,b"}'],
    ["something else that does not fit", '{"n":"5","f":"perhaps"}'],
    ["an object that is cut", '{"n":5}{"n":'],
    ["an object and a word", '{"n":5} and'],
    ["a list", "[1]"],
    ["text", '"hello"'],
  ])("are refused: %s", async (_, rawArgs) => {
    const { seen, errors } = await call(rawArgs);
    expect(seen).toEqual([]);
    expect(errors[0]).toMatch(/invalid arguments|not a JSON object/);
  });

  it("leaves no trace of an attempt that did not fit", async () => {
    const { calls } = await call('{"n":"5","f":"perhaps"}');
    expect(calls[0]?.args).toEqual({ n: "5", f: "perhaps" });
    expect(calls[0]).not.toHaveProperty("coerced");
  });
});

describe("several objects under one call", () => {
  const two = '{"n":1}{"n":2}';

  it.each([{ readOnly: true }, { idempotent: true }])("are several calls of a tool with %j", async (annotations) => {
    const { seen, calls } = await call(two, annotations);
    expect(seen).toEqual([{ n: 1 }, { n: 2 }]);
    expect(new Set(calls.map(({ id }) => id)).size).toBe(2);
    expect(calls.map(({ rawArgs }) => rawArgs)).toEqual(['{"n":1}', '{"n":2}']);
  });

  it("never run where a repetition may do harm; the model is told to send them apart", async () => {
    const { seen, errors } = await call(two);
    expect(seen).toEqual([]);
    expect(errors).toEqual([expect.stringContaining("2 objects in a row; send them as separate calls")]);
  });

  it("never run if one of them does not fit", async () => {
    const { seen } = await call('{"n":1}{"n":"many"}', { readOnly: true });
    expect(seen).toEqual([]);
  });

  it("may contain braces and quotes in texts", async () => {
    const { seen } = await call('{"s":"}{"} {"s":"\\"}{"}', { readOnly: true });
    expect(seen).toEqual([{ s: "}{" }, { s: '"}{' }]);
  });
});

describe("names in arguments that had to be repaired", () => {
  const { tool } = echo({ readOnly: true });
  const aliased = { ...tool, aliases: ["say"], argumentAliases: { number: "n" } };
  const read = (rawArgs: string, more: object = {}, name = "echo") =>
    readCalls({ ...toolCallFromText({ id: "c", name, rawArgs }), ...more }, createToolbox([aliased]));
  const written = (object: string) => [object, JSON.stringify(object), `\`\`\`json\n${object}\n\`\`\``, `{}${object}`];

  it.each(written('{"number":"5","s":"a"}'))("are the tool's own where it has others: %s", (rawArgs) => {
    const [found, ...more] = read(rawArgs, {}, "say");
    expect(more).toEqual([]);
    expect(found).toMatchObject({ name: "echo", args: { n: 5, s: "a" }, rawArgs });
    expect(found).not.toHaveProperty("argsError");
  });

  it.each(written('{"_n_2":"5","s":"a"}').slice(1))("are those that a provider was not sent: %s", (rawArgs) => {
    const [found, ...more] = read(rawArgs, { argumentNames: { _n_2: "n" } });
    expect(more).toEqual([]);
    expect(found).toMatchObject({ args: { n: 5, s: "a" }, rawArgs });
    expect(found).not.toHaveProperty("argumentNames");
  });

  it("are so in each of several objects, and forgotten with what can't be read", () => {
    const argumentNames = { _n_2: "n" };
    const several = read('{"_n_2":1}{"_n_2":2}', { argumentNames });
    expect(several.map(({ args }) => args)).toEqual([{ n: 1 }, { n: 2 }]);
    const [broken] = read('{"_n_2":', { argumentNames });
    expect(broken).toMatchObject({ args: {}, argsError: expect.any(String) });
    expect(broken).not.toHaveProperty("argumentNames");
  });
});

describe("a schema of another server", () => {
  const coerce = (schema: Record<string, unknown>, args: Record<string, unknown>, fits: (args: never) => boolean) =>
    coerceArguments(args, schema, (given) => fits(given as never));
  const isNumber = ({ n }: { n: unknown }) => typeof n === "number";

  it.each<[string, Record<string, unknown>]>([
    ["a reference", { $defs: { count: { type: "integer" } }, properties: { n: { $ref: "#/$defs/count" } } }],
    [
      "a chain of references",
      {
        definitions: { a: { $ref: "#/definitions/b" }, b: { type: "number" } },
        properties: { n: { $ref: "#/definitions/a" } },
      },
    ],
    ["alternatives without text", { properties: { n: { anyOf: [{ type: "integer" }, { type: "null" }] } } }],
    ["a list of types", { properties: { n: { type: ["integer", "null"] } } }],
    ["numbers to choose from", { properties: { n: { enum: [1, 5] } } }],
    ["parts", { allOf: [{ properties: { n: { type: "integer" } } }] }],
    [
      "alternatives at the top",
      { oneOf: [{ properties: { n: { type: "integer" } } }, { properties: { m: { type: "string" } } }] },
    ],
    ["other fields", { additionalProperties: { type: "integer" } }],
  ])("with %s is read", (_, schema) => {
    expect(coerce(schema, { n: "5" }, isNumber)?.args).toEqual({ n: 5 });
  });

  it.each<[string, Record<string, unknown>]>([
    ["an alternative that is text", { properties: { n: { oneOf: [{ type: "integer" }, { type: "string" }] } } }],
    ["no type", { properties: { n: {} } }],
    ["a reference to nothing", { properties: { n: { $ref: "#/$defs/gone" } } }],
    ["a reference to itself", { $defs: { a: { $ref: "#/$defs/a" } }, properties: { n: { $ref: "#/$defs/a" } } }],
    ["a required field for null", { properties: { n: { type: "integer" } }, required: ["n"] }],
  ])("with %s leaves text and null alone", (_, schema) => {
    expect(coerce(schema, { n: schema.required ? null : "5" }, isNumber)).toBeNull();
  });
});

it("an unknown tool's call stays as it is", async () => {
  const { events } = await runWith([{ calls: [{ name: "gone", rawArgs: '{"n":"5"}' }] }, { text: "ok" }]);
  const called = events.flatMap((event) => (event.type === "tool.call" ? [event.call] : []));
  expect(called).toMatchObject([toolCallFromText({ id: called[0]?.id ?? "", name: "gone", rawArgs: '{"n":"5"}' })]);
});

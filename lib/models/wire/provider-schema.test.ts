import { afterEach, describe, expect, it } from "vitest";
import { askModel, providerSettings, USER_REQUEST } from "@/lib/testing/servers/ask-scripted-server";
import { type RecordingServer, startRecordingServer } from "@/lib/testing/servers/recording-server";
import { startScriptedServer } from "@/lib/testing/servers/scripted-openai-server";
import { providerSchema } from "./provider-schema";

type Json = Record<string, unknown>;

describe("a valid schema that providers refuse", () => {
  it.each<[string, Json, Json]>([
    ["no properties", { type: "object" }, { type: "object", properties: {} }],
    ["nothing at all", {}, { type: "object", properties: {} }],
    ["properties that are an empty list", { type: "object", properties: [] }, { type: "object", properties: {} }],
    ["properties that are null", { type: "object", properties: null }, { type: "object", properties: {} }],
    [
      "an inner object without properties",
      { properties: { a: { type: "object" } } },
      { type: "object", properties: { a: { type: "object", properties: {} } } },
    ],
    [
      "a list without items",
      { properties: { a: { type: "array" } } },
      { type: "object", properties: { a: { type: "array", items: {} } } },
    ],
    [
      "a list or null without items",
      { properties: { a: { type: ["array", "null"] } } },
      { type: "object", properties: { a: { type: ["array", "null"], items: {} } } },
    ],
    [
      "items by place",
      { properties: { a: { type: "array", items: [{ type: "string" }, { type: "number" }] } } },
      {
        type: "object",
        properties: { a: { type: "array", items: { anyOf: [{ type: "string" }, { type: "number" }] } } },
      },
    ],
    ["a schema that is true", { properties: { a: true } }, { type: "object", properties: { a: {} } }],
    [
      "types in capitals",
      { type: "OBJECT", properties: { a: { type: "STRING" } } },
      { type: "object", properties: { a: { type: "string" } } },
    ],
    [
      "required names that do not exist",
      { properties: { a: {} }, required: ["a", "b"] },
      { type: "object", properties: { a: {} }, required: ["a"] },
    ],
    [
      "required as a word",
      { properties: { a: { type: "string", required: true } } },
      { type: "object", properties: { a: { type: "string" } } },
    ],
    [
      "an empty enumeration",
      { properties: { a: { type: "string", enum: [] } } },
      { type: "object", properties: { a: { type: "string" } } },
    ],
    ["its own address", { $schema: "x", $id: "y", properties: {} }, { type: "object", properties: {} }],
    [
      "alternatives at the top",
      {
        anyOf: [
          { properties: { a: { type: "string" }, c: {} }, required: ["a", "c"] },
          { properties: { b: { type: "number" }, c: {} }, required: ["b", "c"] },
        ],
      },
      { type: "object", properties: { a: { type: "string" }, b: { type: "number" }, c: {} }, required: ["c"] },
    ],
    [
      "parts at the top",
      {
        allOf: [{ properties: { a: {} }, required: ["a"] }, { $ref: "#/$defs/more" }],
        $defs: { more: { properties: { b: {} } } },
      },
      {
        $defs: { more: { type: "object", properties: { b: {} } } },
        type: "object",
        properties: { a: {}, b: {} },
        required: ["a"],
      },
    ],
    [
      "a reference at the top",
      { $ref: "#/$defs/a", $defs: { a: { type: "object", properties: { x: {} } } } },
      { $defs: { a: { type: "object", properties: { x: {} } } }, type: "object", properties: { x: {} } },
    ],
  ])("is completed: %s", (_, given, written) => {
    const before = structuredClone(given);
    expect(providerSchema(given, "openai")).toEqual(written);
    expect(given).toEqual(before);
  });

  it("keeps what is a value and no schema", () => {
    const schema = {
      type: "object",
      properties: { type: { type: "string", default: { type: "object" } }, items: { type: "number", enum: [1] } },
    };
    expect(providerSchema(schema, "openai")).toEqual(schema);
  });

  it("loses for Gemini's compatible endpoint what that refuses", () => {
    const schema = {
      type: "object",
      additionalProperties: false,
      $defs: { kind: { type: "string", enum: ["a", "b"] } },
      properties: {
        kind: { $ref: "#/$defs/kind" },
        only: { const: 5 },
        when: { type: "string", format: "uri" },
        at: { type: "string", format: "date-time" },
        maybe: { type: ["string", "null"] },
        either: { oneOf: [{ type: "string" }, { type: "number", exclusiveMinimum: 0 }] },
        list: { type: "array" },
      },
    };
    expect(providerSchema(schema, "google")).toEqual({
      type: "object",
      properties: {
        kind: { type: "string", enum: ["a", "b"] },
        only: { type: "string", enum: ["5"] },
        when: { type: "string" },
        at: { type: "string", format: "date-time" },
        maybe: { type: "string", nullable: true },
        either: { anyOf: [{ type: "string" }, { type: "number" }] },
        list: { type: "array", items: { type: "string" } },
      },
    });
  });

  it("nests a schema within itself a few times at most for Google", () => {
    const node = { type: "object", properties: { name: { type: "string" }, next: { $ref: "#/$defs/node" } } };
    const schema = { type: "object", properties: { first: { $ref: "#/$defs/node" } }, $defs: { node } };
    const text = JSON.stringify(providerSchema(schema, "google"));
    expect(text.split('"next"')).toHaveLength(3);
    expect(text).not.toContain("$ref");
  });

  it("gives no properties to what is no object, and null among values is a flag for Google", () => {
    const properties = { a: { allOf: [{ type: "string" }, { minLength: 1 }] }, b: { enum: [1, "x", null] } };
    expect(providerSchema({ type: "object", properties }, "google").properties).toEqual({
      a: { type: "string", minLength: 1 },
      b: { type: "string", enum: ["1", "x"], nullable: true },
    });
  });

  it("ends where a schema refers to itself", () => {
    const tree = {
      $defs: { node: { properties: { next: { $ref: "#/$defs/node" } } } },
      properties: { root: { $ref: "#/$defs/node" } },
    };
    expect(JSON.stringify(providerSchema(tree, "google")).length).toBeLessThan(100_000);
    expect(JSON.stringify(providerSchema({ $ref: "#" }, "openai"))).toBe('{"type":"object","properties":{}}');
    expect(providerSchema({ allOf: [{ $ref: "#" }] }, "openai")).toMatchObject({ type: "object" });
    expect(providerSchema({ anyOf: [{ $ref: "#" }] }, "google")).toMatchObject({ type: "object" });
    const twice = {
      $defs: { n: { properties: { l: { $ref: "#/$defs/n" }, r: { $ref: "#/$defs/n" } } } },
      $ref: "#/$defs/n",
    };
    expect(JSON.stringify(providerSchema(twice, "google")).length).toBeLessThan(200_000);
  });
});

let server: RecordingServer | undefined;
afterEach(() => server?.close());

const bare = { name: "mcp__aws__list_regions", description: "All regions", parameters: { type: "object" } };
const request = { ...USER_REQUEST, tools: [...USER_REQUEST.tools, bare] };

it.each(["openai", "anthropic", "openai-compatible"])(
  "%s is sent a tool without arguments that it takes",
  async (kind) => {
    server = await startRecordingServer([]);
    const connection = { apiKey: "k", baseUrl: server.url };
    const settings = providerSettings({ openai: connection, anthropic: connection, openaiCompatible: connection });
    await askModel({ settings, spec: `${kind}:m`, request });
    expect(JSON.stringify(server.bodies[0])).toContain('{"type":"object","properties":{}}');
  },
);

it.each([
  ["by name", { message: "Invalid schema for function 'mcp__aws__list_regions': object schema missing properties." }],
  ["by its place", { message: "Invalid schema", param: "tools[1].function.parameters" }],
  ["by its place as Anthropic writes it", { message: "tools.1.custom.input_schema: Input does not match" }],
])("a tool that a provider still refuses is named: %s", async (_, error) => {
  const refusing = await startScriptedServer({
    script: [{ fault: { status: 400, body: JSON.stringify({ error }), contentType: "application/json" } }],
  });
  const settings = providerSettings({ openaiCompatible: { apiKey: "k", baseUrl: refusing.url } });
  const asked = await askModel({ settings, request });
  expect(String(asked.error)).toMatch(/does not accept the tool mcp__aws__list_regions \(400\)/);
  await refusing.close();
});

describe("a schema in which every part says its type", () => {
  it.each<[string, Json, Json]>([
    [
      "a part that may be anything",
      { a: { description: "x" }, b: {} },
      { a: { description: "x", type: "string" }, b: { type: "string" } },
    ],
    [
      "a type beside alternatives",
      { a: { type: "string", anyOf: [{ maxLength: 2 }, { type: "number" }], description: "x" } },
      { a: { anyOf: [{ maxLength: 2, type: "string" }, { type: "number" }], description: "x" } },
    ],
    [
      "alternatives of what is required",
      { a: { type: "object", properties: { x: {} }, anyOf: [{ required: ["x"] }, { required: [] }] } },
      { a: { type: "object", properties: { x: { type: "string" } } } },
    ],
    [
      "a reference with a description",
      { a: { $ref: "#/$defs/D", description: "x" } },
      { a: { description: "x", type: "integer" } },
    ],
    [
      "a reference or null",
      { a: { anyOf: [{ $ref: "#/$defs/D" }, { type: "null" }] } },
      { a: { description: "d", type: "integer" } },
    ],
    ["a list of anything", { a: { type: "array" } }, { a: { type: "array", items: { type: "string" } } }],
    ["a constant", { a: { const: "x" } }, { a: { type: "string", enum: ["x"] } }],
    [
      "several types",
      { a: { type: ["string", "number"] } },
      { a: { anyOf: [{ type: "string" }, { type: "number" }] } },
    ],
  ])("is written for %s", (_, properties, expected) => {
    const parameters = { type: "object", $defs: { D: { type: "integer", description: "d" } }, properties };
    expect(providerSchema(parameters, "typed")).toEqual({ type: "object", properties: expected });
  });

  it("has properties, if only none", () => {
    expect(providerSchema({}, "typed")).toEqual({ type: "object", properties: {} });
  });
});

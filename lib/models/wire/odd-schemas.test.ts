// Schemas as servers of tools write them, against what the validators of providers ask of every schema.
import { afterEach, describe, expect, it } from "vitest";
import { askModel, providerSettings, USER_REQUEST } from "@/lib/testing/servers/ask-scripted-server";
import { type ScriptedServer, startScriptedServer } from "@/lib/testing/servers/scripted-openai-server";
import { ownArguments, providerSchema } from "./provider-schema";

type Json = Readonly<Record<string, unknown>>;

const object = (properties: Json, more: Json = {}): Json => ({ type: "object", properties, ...more });
const isObject = (value: unknown): value is Json =>
  typeof value === "object" && value !== null && !Array.isArray(value);
const list = { type: "array" };
const many = (count: number, value: unknown): Json =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`field_${index}`, value]));

const ODD: Readonly<Record<string, Json>> = {
  "a tree": object(
    { root: { $ref: "#/definitions/T" } },
    { definitions: { T: object({ kids: { ...list, items: { $ref: "#/definitions/T" } } }) } },
  ),
  "itself as a property": object({ child: { $ref: "#" } }),
  "a reference to a property": object({ a: object({ x: list }), b: { $ref: "#/properties/a" } }),
  "a reference into a list": {
    allOf: [object({ a: list }), { properties: { b: { $ref: "#/allOf/0/properties/a" } } }],
  },
  "a name with a space in a reference": object({ a: { $ref: "#/$defs/My%20Type" } }, { $defs: { "My Type": list } }),
  "a name with a slash in a reference": object({ a: { $ref: "#/$defs/x~1y" } }, { $defs: { "x/y": list } }),
  "an anchor": object({ a: { $ref: "#node" } }, { $defs: { n: { $anchor: "node", type: "string" } } }),
  "its own address": {
    $id: "https://s.example/x",
    ...object({ a: { $ref: "https://s.example/x#/$defs/q" } }, { $defs: { q: list } }),
  },
  "another address": object({ a: { $ref: "https://s.example/y.json" } }),
  "a reference to nothing": object({ a: { $ref: "#/$defs/none", description: "A" } }),
  "a broken reference": object({ a: { $ref: "#/%E0%A4%A" } }),
  "references in a circle": { $ref: "#/$defs/a", $defs: { a: { $ref: "#/$defs/b" }, b: { $ref: "#/$defs/a" } } },
  "a dynamic reference": { $dynamicAnchor: "n", ...object({ c: { $dynamicRef: "#n" } }) },
  "definitions within a property": object({ a: { $defs: { x: list }, $ref: "#/properties/a/$defs/x" } }),
  "places of a list": object({ a: { ...list, prefixItems: [{ type: "string" }, list], items: false } }),
  "places of a list, as they were written before": object({
    a: { ...list, items: [{ type: "string" }, true], additionalItems: list },
  }),
  "no places": object({ a: { ...list, items: [] }, b: { ...list, items: true } }),
  "truths for schemas": object({ yes: true, no: false, nothing: null, word: "string", number: 4 }),
  "names by pattern": { ...object({}), patternProperties: { "^x-": list }, additionalProperties: list },
  conditions: { ...object({ a: {} }), if: object({ a: { const: 1 } }), else: object({ c: list }) },
  dependencies: {
    ...object({ a: {} }),
    dependentSchemas: { a: object({ q: list }) },
    dependencies: { a: ["b"], c: object({ d: list }) },
  },
  "what a list contains": object({ a: { ...list, contains: list, unevaluatedItems: list } }),
  "null among values": object({
    a: { type: ["string", "null"], enum: ["x", null] },
    b: { enum: [null] },
    c: { const: null },
    d: { type: "integer", enum: [1, 2, 2] },
    e: { enum: [{ a: 1 }, [2]] },
    f: { enum: ["", "a", "a"] },
  }),
  "null as an alternative": object({
    a: { oneOf: [{ type: "null" }, list] },
    b: { anyOf: [{ type: "null" }] },
    c: { type: "null" },
    d: { type: ["null"] },
    e: { type: "string", nullable: "yes" },
  }),
  "several types": { type: ["object", "null"], properties: { a: { type: ["string", "array", "object"] } } },
  "types of other languages": object({
    a: { type: "any" },
    b: { type: "file" },
    c: { type: "int" },
    d: { type: "Dict" },
    e: { type: [] },
    f: { type: ["list", "None"] },
    g: { type: { kind: "string" } },
  }),
  "no alternatives": object({ a: { allOf: [], anyOf: [], oneOf: [], enum: {} } }),
  "bounds of an older draft": object({ a: { type: "number", minimum: 0, exclusiveMinimum: true } }),
  "values that are none": object({
    a: { type: "string", minLength: "3", maxLength: -1, pattern: /x/, format: 5, title: {}, description: ["A"] },
    b: { type: "number", multipleOf: 0, minimum: Number.NaN, uniqueItems: 1 },
  }),
  "names twice": object({ a: {} }, { required: ["a", "a", 5, null, "b"] }),
  "names of keywords": object(
    { properties: object({ required: list }), $ref: { type: "string" }, anyOf: list, type: list },
    { required: ["$ref", "type"] },
  ),
  "names of objects": JSON.parse('{"type":"object","properties":{"__proto__":{"type":"array"},"constructor":{}}}'),
  "3,000 fields": object(many(3_000, { type: "string", description: "x".repeat(50) })),
  "60 levels": Array.from({ length: 60 }).reduce<Json>((inner) => object({ inner }), list),
  "a reference that multiplies": object(many(30, { $ref: "#/$defs/w" }), {
    $defs: { w: object(many(30, { $ref: "#/$defs/w" })) },
  }),
};

const TYPES = ["object", "array", "string", "number", "integer", "boolean", "null"];
const NUMBERS = ["minLength", "maxLength", "minimum", "maximum", "exclusiveMinimum", "multipleOf"];
const IN_LISTS = ["anyOf", "oneOf", "allOf", "prefixItems"];
const BY_NAME = ["properties", "patternProperties", "$defs", "definitions", "dependentSchemas"];
const ALONE = ["items", "additionalItems", "additionalProperties", "contains", "not", "if", "then", "else"];

/** What is wrong with a schema and those within it, with their places. */
function faultsOf(schema: unknown, root: Json, isGoogle: boolean, at = "#"): string[] {
  if (!isObject(schema)) return [`${at} is no schema`];
  const { properties, required, items, $ref } = schema;
  const types = [schema.type ?? []].flat();
  const lists = IN_LISTS.flatMap((key) => (key in schema ? [[key, schema[key]] as const] : []));
  const inner = [
    ...lists.flatMap(([key, value]) => (Array.isArray(value) ? value.map((one, at) => [`${key}/${at}`, one]) : [])),
    ...BY_NAME.flatMap((key) => (isObject(schema[key]) ? Object.entries(schema[key]) : [])),
    ...ALONE.flatMap((key) => (isObject(schema[key]) ? [[key, schema[key]] as const] : [])),
  ];
  const faults: readonly (readonly [string, boolean])[] = [
    ["a reference to nothing", $ref !== undefined && !isFound(String($ref), root)],
    ["a reference", isGoogle && $ref !== undefined],
    ["an unknown type", types.some((type) => !TYPES.includes(String(type)))],
    ["a list without items", types.includes("array") && !isObject(items)],
    ["an object without properties", !isGoogle && types.includes("object") && !isObject(properties)],
    ["an empty object", isGoogle && at !== "#" && isObject(properties) && Object.keys(properties).length === 0],
    ["names twice", Array.isArray(required) && new Set(required).size !== required.length],
    [
      "unknown names",
      Array.isArray(required) && isObject(properties) && required.some((name) => !(name in properties)),
    ],
    ["an empty list", lists.some(([, value]) => !Array.isArray(value) || value.length === 0)],
    ["values", Array.isArray(schema.enum) && !areValues(schema.enum, isGoogle)],
    ["a bound that is no number", NUMBERS.some((key) => key in schema && typeof schema[key] !== "number")],
    ["words that are none", ["description", "title"].some((key) => typeof (schema[key] ?? "") !== "string")],
  ];
  return [
    ...faults.flatMap(([fault, is]) => (is ? [`${at}: ${fault}`] : [])),
    ...inner.flatMap(([name, one]) => faultsOf(one, root, isGoogle, `${at}/${name}`)),
  ];
}

function isFound(reference: string, root: Json): boolean {
  const parts = reference.split("/").slice(1);
  const found = parts.reduce<unknown>((at, part) => (isObject(at) ? at[part] : undefined), root);
  return reference.startsWith("#") && isObject(found);
}

function areValues(values: readonly unknown[], isGoogle: boolean): boolean {
  const isDistinct = new Set(values.map((value) => JSON.stringify(value))).size === values.length;
  return values.length > 0 && isDistinct && (!isGoogle || values.every((value) => typeof value === "string" && value));
}

describe.each(["openai", "plain", "google"] as const)("for %s", (flavour) => {
  it.each(Object.entries(ODD))("%s becomes a schema without faults", (_, given) => {
    const before = JSON.stringify(given);
    const schema = providerSchema(given, flavour);
    expect(schema.type).toBe("object");
    expect(faultsOf(schema, schema, flavour === "google")).toEqual([]);
    expect(JSON.stringify(schema).length).toBeLessThan(400_000);
    expect(JSON.stringify(given)).toBe(before);
  });

  it("keeps all fields of a large schema, and what is in a referenced one", () => {
    expect(providerSchema(ODD["3,000 fields"] ?? {}, flavour)).toMatchObject(ODD["3,000 fields"] ?? {});
    const written = ["a name with a space in a reference", "its own address", "definitions within a property"];
    for (const name of written) {
      expect(providerSchema(ODD[name] ?? {}, flavour), name).toMatchObject({ properties: { a: list } });
    }
    expect(providerSchema(ODD["an anchor"] ?? {}, flavour)).toMatchObject({ properties: { a: { type: "string" } } });
  });
});

it("a condition that only names fields stays one, and a negation does not become a refusal of everything", () => {
  const inner = object({ a: {}, b: {} }, { not: { required: ["a", "b"] }, if: { required: ["a"] } });
  const schema = object({ inner });
  expect(providerSchema(schema, "openai")).toEqual(schema);
});

it("types of other languages and old bounds keep their meaning", () => {
  expect(providerSchema(ODD["types of other languages"] ?? {}, "openai").properties).toMatchObject({
    a: {},
    c: { type: "integer" },
    d: { type: "object" },
    f: { type: ["array", "null"], items: {} },
  });
  expect(providerSchema(ODD["bounds of an older draft"] ?? {}, "openai").properties).toEqual({
    a: { type: "number", exclusiveMinimum: 0 },
  });
});

it("Google is told of null by a flag, of several types as alternatives, and no empty value", () => {
  const types = { type: ["array", "object", "null"], items: { type: "number" }, properties: { x: { type: "string" } } };
  const given = object({
    a: { anyOf: [{ type: "null" }, { type: "string" }] },
    b: { enum: ["", "x", 1, null] },
    types,
  });
  expect(providerSchema(given, "google").properties).toEqual({
    a: { anyOf: [{ type: "string" }], nullable: true },
    b: { type: "string", enum: ["x", "1"], nullable: true },
    types: {
      anyOf: [
        { type: "array", items: { type: "number" } },
        { type: "object", properties: { x: { type: "string" } } },
      ],
      nullable: true,
    },
  });
});

const NAMES = ["$filter", "_filter", "a b", "projects.any", "filter[id]", "größe", "日本", "", "x".repeat(70)];
const oddNames = object(Object.fromEntries(NAMES.map((name) => [name, { type: "string" }])), {
  required: ["$filter", "projects.any"],
});

describe("arguments whose names providers refuse", () => {
  it("have other names for them, each its own, and their own again in a call", () => {
    const { properties, required } = providerSchema(oddNames, "openai");
    const sent = Object.keys(properties ?? {});
    expect(new Set(sent).size).toBe(NAMES.length);
    for (const name of sent) expect(name).toMatch(/^[a-zA-Z0-9_.-]{1,64}$/);
    expect(sent.slice(0, 5)).toEqual(["_filter_2", "_filter", "a_b", "projects.any", "filter_id_"]);
    expect(required).toEqual(["_filter_2", "projects.any"]);
    const called = Object.fromEntries(sent.map((name) => [name, name]));
    expect(Object.keys(ownArguments(called, oddNames, "openai"))).toEqual(NAMES);
    expect(ownArguments({ $filter: "seen before" }, oddNames, "openai")).toEqual({ $filter: "seen before" });
    expect(providerSchema(oddNames, "any")).toBe(oddNames);
  });

  it("differ only at the top, which is all that is checked", () => {
    const inner = object({ deep: object({ "$a b": { type: "string" } }) });
    expect(providerSchema(inner, "openai")).toEqual(inner);
  });
});

let server: ScriptedServer | undefined;
afterEach(() => server?.close());

it("a call with a sent name runs with the argument's own", async () => {
  const args = JSON.stringify({ _filter_2: "status eq 1", a_b: "2" });
  server = await startScriptedServer({
    script: [{ calls: [{ id: "call_1", name: "query", args: JSON.parse(args) }] }],
  });
  const settings = providerSettings({ openaiCompatible: { apiKey: "k", baseUrl: server.url } });
  const request = { ...USER_REQUEST, tools: [{ name: "query", description: "Queries.", parameters: oddNames }] };
  const { reply } = await askModel({ settings, request });
  const own = { $filter: "status eq 1", "a b": "2" };
  expect(reply?.toolCalls[0]).toMatchObject({ args: own, rawArgs: args });
  expect(JSON.stringify(server.requests[0]?.body.tools)).toContain('"_filter_2"');
});

it("a call with sent names whose arguments need a repair says which are meant", async () => {
  const rawArgs = '{"_filter_2":"status eq 1"}{"_filter_2":"status eq 1"}';
  server = await startScriptedServer({ script: [{ calls: [{ id: "call_1", name: "query", args: rawArgs }] }] });
  const settings = providerSettings({ openaiCompatible: { apiKey: "k", baseUrl: server.url } });
  const request = { ...USER_REQUEST, tools: [{ name: "query", description: "Queries.", parameters: oddNames }] };
  const { reply } = await askModel({ settings, request });
  expect(reply?.toolCalls[0]).toMatchObject({ rawArgs, argumentNames: { _filter_2: "$filter", a_b: "a b" } });
});

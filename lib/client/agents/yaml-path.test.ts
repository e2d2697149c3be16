import { expect, test } from "vitest";
import { keySuggestions, schemasAt, valueSuggestions, yamlPlace } from "./yaml-path";

const schema = {
  type: "object",
  properties: {
    name: { type: "string", description: "What people see" },
    backend: {
      anyOf: [{ type: "null" }, { $ref: "#/$defs/backend" }],
    },
    permissions: { type: "object", properties: { deny: { type: "array", items: { properties: { tool: {} } } } } },
  },
  $defs: {
    backend: {
      type: "object",
      properties: { type: { enum: ["state", "local"] }, network: { type: "boolean", default: false } },
    },
  },
};

const place = (text: string, indent: number) => {
  const lines = text.split("\n");
  return yamlPlace(lines, lines.length - 1, indent);
};

test("a line at the margin belongs to the whole", () => {
  const found = place("name: a\nmodel: b\n", 0);
  expect(found.path).toEqual([]);
  expect([...found.siblings]).toEqual(["model", "name"]);
});

test("an indented line belongs to the key above it", () => {
  expect(place("name: a\nbackend:\n  type: local\n\n  # note\n  ", 2)).toEqual({
    path: ["backend"],
    names: ["a"],
    siblings: new Set(["type"]),
  });
});

test("list items are part of the path", () => {
  expect(place("permissions:\n  deny:\n    - tool: x\n      ", 6).path).toEqual(["permissions", "deny", "[]"]);
});

test("offers the keys that are not there yet, through references and branches", () => {
  const found = keySuggestions(schemasAt(schema, ["backend"]), new Set(["type"]));
  expect(found).toEqual([{ label: "network", detail: "default false", info: null }]);
  expect(keySuggestions(schemasAt(schema, []), new Set(["backend", "permissions"]))).toEqual([
    { label: "name", detail: "string", info: "What people see" },
  ]);
  expect(keySuggestions(schemasAt(schema, ["permissions", "deny", "[]"]), new Set()).map((one) => one.label)).toEqual([
    "tool",
  ]);
});

test("offers the values a field may have", () => {
  const labels = (path: string[]) => valueSuggestions(schemasAt(schema, path)).map((one) => one.label);
  expect(labels(["backend", "type"])).toEqual(["state", "local"]);
  expect(labels(["backend", "network"])).toEqual(["true", "false"]);
  expect(labels(["nothing", "here"])).toEqual([]);
});

test("a schema that refers to itself ends", () => {
  const loop = { properties: { next: { $ref: "#" } } };
  expect(keySuggestions(schemasAt(loop, ["next", "next"]), new Set()).map((one) => one.label)).toEqual(["next"]);
});

const named = (name: string, setting: string) => ({
  properties: { name: { const: name }, config: { properties: { [setting]: { type: "string" } } } },
});
const listSchema = {
  properties: { hooks: { anyOf: [{ items: { anyOf: [named("one", "colour"), named("two", "size")] } }] } },
};

test("what an item may hold follows from its name", () => {
  const text = "name: A\nhooks:\n  - name: one\n    config:\n      colour: red\n  - name: two\n    config:\n      ";
  const { path, names } = place(text, 6);
  expect(path).toEqual(["hooks", "[]", "config"]);
  const labels = keySuggestions(schemasAt(listSchema, path, names), new Set()).map((one) => one.label);
  expect(labels).toEqual(["size"]);
});

test("an item without a name may be any", () => {
  const { path, names } = place("hooks:\n  - enabled: true\n    config:\n      ", 6);
  const labels = keySuggestions(schemasAt(listSchema, path, names), new Set()).map((one) => one.label);
  expect(labels).toEqual(["colour", "size"]);
});

test("the names of items are offered, after the first as well", () => {
  const labels = (path: string[]) => valueSuggestions(schemasAt(listSchema, path)).map((one) => one.label);
  expect(labels(["hooks", "[]", "name"])).toEqual(["one", "two"]);
  expect(place("hooks:\n", 3).path).toEqual(["hooks"]);
  expect(place("hooks:\n  - name: one\n", 3).path).toEqual(["hooks", "[]"]);
});

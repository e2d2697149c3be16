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
    siblings: new Set(["type"]),
  });
});

test("list items are part of the way", () => {
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

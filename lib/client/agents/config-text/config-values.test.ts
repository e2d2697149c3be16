import { expect, it } from "vitest";
import { linesOf, pathAt, readConfigText } from "./config-text";
import { changedPaths, withValue } from "./config-values";

it("names the smallest fields that differ, and lists as a whole", () => {
  const before = { name: "a", backend: { type: "local", network: false }, tools: ["x"] };
  const after = { name: "a", backend: { type: "local", network: true }, tools: ["x", "y"], retries: 1 };
  expect(changedPaths(before, after)).toEqual([
    { path: ["backend", "network"], before: false, after: true },
    { path: ["tools"], before: ["x"], after: ["x", "y"] },
    { path: ["retries"], before: undefined, after: 1 },
  ]);
  expect(changedPaths({ backend: null }, { backend: { type: "local" } })).toEqual([
    { path: ["backend"], before: null, after: { type: "local" } },
  ]);
});

it("removes a mapping with its last field, and leaves an empty one that was written", () => {
  expect(withValue({ a: { b: 1 }, c: {} }, ["a", "b"], undefined)).toEqual({ c: {} });
});

it("finds the field at a place of the text, and the lines of a field", () => {
  const read = readConfigText("# top\nname: a\nbackend:\n  type: local # here\n  network: false\n\ntools:\n  - x\n");
  expect(pathAt(read, read.text.indexOf("here"))).toEqual(["backend", "type"]);
  expect(pathAt(read, read.text.indexOf("- x"))).toEqual(["tools"]);
  expect(pathAt(read, 2)).toEqual([]);
  expect(linesOf(read, ["backend"])).toEqual({ first: 3, last: 5 });
  expect(linesOf(read, ["tools"])).toEqual({ first: 7, last: 8 });
  expect(linesOf(read, ["retries"])).toBeNull();
});

import fc from "fast-check";
import { expect, test } from "vitest";
import { readPartialObject } from "./partial-json";

test.each([
  ['{"path":"a.html","content":"<p>one', { path: "a.html", content: "<p>one" }],
  ['{"path":"a.html","content":"one\\', { path: "a.html", content: "one" }],
  ['{"path":"a.html","content":"one\\\\', { path: "a.html", content: "one\\" }],
  ['{"path":"a.html","content":"x\\u00', { path: "a.html", content: "x" }],
  ['{"path":"a.html","cont', { path: "a.html" }],
  ['{"path":"a.html","content":', { path: "a.html" }],
  ['{"n":12,"list":[{"a":"b"},"c', { n: 12, list: [{ a: "b" }, "c"] }],
  ["{", {}],
  ["", null],
  ["[1", null],
  ["no", null],
] as const)("%s is read as far as it goes", (text, expected) => {
  expect(readPartialObject(text)).toEqual(expected);
});

test("every beginning of an object is an object whose texts are beginnings", () => {
  const object = fc.dictionary(fc.string(), fc.oneof(fc.string(), fc.integer(), fc.array(fc.string()), fc.boolean()));
  fc.assert(
    fc.property(object, fc.nat(), (whole, cut) => {
      const text = JSON.stringify(whole);
      const read = readPartialObject(text.slice(0, 1 + (cut % text.length)));
      expect(read).not.toBeNull();
      for (const [name, value] of Object.entries(read ?? {})) {
        const full = whole[name];
        if (typeof value === "string" && typeof full === "string") expect(full.startsWith(value)).toBe(true);
        else if (!Array.isArray(value)) expect(value).toEqual(full);
      }
    }),
  );
});

test.each(["{", "[", '{"a":', '{"a":['])(
  "deeply nested %j is shown to a depth, and reading it takes no longer",
  (opening) => {
    const timeOf = (text: string) => {
      const startedAt = performance.now();
      readPartialObject(text);
      return performance.now() - startedAt;
    };
    const nested = `{"x":${opening.repeat(20_000)}`;
    const flat = `{"x":${JSON.stringify("a,".repeat(nested.length / 2)).slice(0, -1)}`;
    expect(timeOf(nested)).toBeLessThan(100 + 100 * timeOf(flat));
  },
);

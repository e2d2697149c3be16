import fc from "fast-check";
import picomatch from "picomatch";
import { describe, expect, test } from "vitest";
import { compileGlob } from "./match-glob";

const matches = (pattern: string, text: string) => compileGlob(pattern)?.matches(text);

describe("a glob of a rule", () => {
  test.each([
    ["secrets/**", "secrets/a/b", true],
    ["secrets/**", "secrets", true],
    ["secrets/**", "secrets-not/a", false],
    ["**/*.md", "a.md", true],
    ["**/*.md", "docs/.hidden/a.md", true],
    ["*.md", "docs/a.md", false],
    ["a/**/z", "a/z", true],
    ["a/**/z", "a/b/c/z", true],
    ["{a,b/{c,d}}.txt", "b/d.txt", true],
    ["@(read|write)_file", "write_file", true],
    ["[!a-c]?", "dx", true],
    ["[!a-c]?", "bx", false],
    ["\\*", "*", true],
    ["\\*", "a", false],
    ["!secrets/**", "open/a", true],
    ["!secrets/**", "secrets/a", false],
    ["{a", "{a", true],
    ["**", ".", false],
    ["*", ".", false],
    [".", ".", true],
    ["mcp__*", "mcp__github__list", true],
  ])("%s on %s: %s", (pattern, text, expected) => {
    expect(matches(pattern, text)).toBe(expected);
  });

  test("means what it meant to the library that rules were written for", () => {
    const part = fc.constantFrom("a", "b", ".", "*", "**", "?", "/", "[ab]", "{a,b}", "/**/", "x");
    const pattern = fc.array(part, { minLength: 1, maxLength: 6 }).map((parts) => parts.join(""));
    const text = fc.stringMatching(/^[abx.]{1,3}(\/[abx]{1,2}){0,3}$/);
    // After a part that ends in a star, picomatch requires something below; here "/**" also matches nothing, as
    // elsewhere.
    const isUsual = (glob: string) =>
      !/\*\/\*\*|\/\/|^\/|\/$|\*{3}|[^/]\*\*|\*\*[^/]|^\.|\/\.|\.$|\.\/|\*\*\/\*\*/.test(glob);
    fc.assert(
      fc.property(
        pattern.filter(isUsual),
        text.filter((path) => !/\.(\/|$)/.test(path)),
        (glob, path) => {
          expect(matches(glob, path)).toBe(picomatch.isMatch(path, glob, { dot: true }));
        },
      ),
      { numRuns: 2_000 },
    );
  });

  test("1,024 characters cost no more than the two lengths multiplied, whatever both are", () => {
    let looked = 0;
    const text = new Proxy(Array(1_024).fill("a"), {
      get: (target, key, receiver) => {
        if (typeof key === "string" && /^\d+$/.test(key)) looked += 1;
        return Reflect.get(target, key, receiver);
      },
    });
    const path = { split: () => [{ [Symbol.iterator]: () => text[Symbol.iterator]() }] } as unknown as string;
    expect(matches(`${"*a".repeat(60)}b`, path)).toBe(false);
    expect(looked).toBeLessThan(1_024 * 121);
    const startedAt = performance.now();
    expect(matches(`${"*a".repeat(60)}b`, "a".repeat(1_024))).toBe(false);
    expect(matches(`${"**/*a*/".repeat(60)}b`, "a/".repeat(512))).toBe(false);
    expect(performance.now() - startedAt).toBeLessThan(1_000);
  });

  test.each(["!(a)", "+(a|b)", "*(a)", "a?(b)", `${"{a,b}".repeat(8)}`])("%s is not known", (pattern) => {
    expect(compileGlob(pattern)).toBeNull();
  });
});

import { globSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

test("a part that is loaded later has a boundary of its own: without one it hides the page, and takes its focus", () => {
  const bare = globSync("{components,lib}/**/*.{ts,tsx}").flatMap((file) =>
    callsOf("dynamic", readFileSync(file, "utf8"))
      .filter((call) => !/\bloading\b|ssr: false/.test(call))
      .map((call) => `${file}: ${call}`),
  );
  expect(bare).toEqual([]);
});

/** The source of each call of a function, from its name to its closing parenthesis. */
function callsOf(name: string, source: string): string[] {
  return [...source.matchAll(new RegExp(`\\b${name}\\(`, "g"))].map(({ index }) => {
    let depth = 0;
    for (let at = index + name.length; at < source.length; at += 1) {
      if (source[at] === "(") depth += 1;
      if (source[at] === ")") depth -= 1;
      if (depth === 0) return source.slice(index, at + 1);
    }
    return source.slice(index);
  });
}

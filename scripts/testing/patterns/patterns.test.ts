import { expect, test } from "vitest";
import { projectDirectory } from "@/scripts/project-directory";
import { BUILT_PATTERNS } from "./built-patterns";
import { builtPatternsIn, countBuiltPatterns, findPatterns, patternsIn } from "./find-patterns";
import { judgePattern } from "./judge-pattern";
import { growthOf, isSuperLinear } from "./measure-pattern";
import { readVerdicts } from "./verdict-file";

const patterns = findPatterns(projectDirectory);
const verdicts = readVerdicts();

test("every literal pattern of lib and app was judged: npm run patterns judges new ones", () => {
  const unjudged = patterns.filter(({ hash }) => !(hash in verdicts));
  expect(unjudged.map(({ source, places }) => `${places.join(", ")}: /${source}/`)).toEqual([]);
  expect(patterns.length).toBeGreaterThan(100);
});

test("no verdict is left of a pattern that is gone", () => {
  const known = new Set(patterns.map(({ hash }) => hash));
  expect(Object.keys(verdicts).filter((hash) => !known.has(hash))).toEqual([]);
});

test("every pattern that is built at run time has a reason why it is linear", () => {
  const expected = Object.entries(BUILT_PATTERNS).map(([file, { count }]) => [file, count]);
  expect(countBuiltPatterns(projectDirectory)).toEqual(Object.fromEntries(expected));
});

test.each([
  ["const p = new RegExp(text + '$');", 1],
  ["const p = RegExp(text, 'u'); const q = new RegExp('a+');", 2],
  ["const p = /a/u; const isOne = p instanceof RegExp; RegExp.escape(text);", 0],
])("in %j patterns are built %i times", (source, count) => {
  expect(builtPatternsIn("lib/x.ts", source)).toBe(count);
});

test("a pattern that the checker can't judge takes no more than linear time on its attack text", () => {
  const slow = patterns.flatMap((pattern) => {
    const verdict = verdicts[pattern.hash];
    if (verdict === undefined || verdict === "linear") return [];
    const timesMs = growthOf(pattern, verdict);
    return isSuperLinear(timesMs) ? [`${pattern.places[0]}: ${timesMs.map(Math.round).join(", ")} ms`] : [];
  });
  expect(slow).toEqual([]);
});

test.each([
  ["an unanchored repeat before a fixed end", "const value = text.replace(/\\s+$/, '');"],
  ["nested repeats", "const value = /^(?:a+)+$/.test(text);"],
  ["an unanchored repeat behind a lookbehind", "const value = /(?<!x)\\d+z/.test(text);"],
])("%s is found and refused", (_, source) => {
  const [pattern] = patternsIn("lib/x.ts", source);
  if (!pattern) throw new Error("The pattern was not found.");
  expect(judgePattern(pattern)).toHaveProperty("problem");
});

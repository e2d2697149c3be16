import { expect, test } from "vitest";
import { projectDirectory } from "@/scripts/project-directory";
import { findPatterns, patternsIn } from "./find-patterns";
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

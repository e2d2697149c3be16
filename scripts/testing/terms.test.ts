import { globSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { findRetiredTerms } from "@/lib/testing/terms/retired-terms";

const files = globSync("{app,components,lib}/**/*.{ts,tsx}", {
  exclude: ["**/generated/**", "**/*.test.*", "lib/testing/terms/**"],
});

/** What stands between quotes, or as the text of an element on one line. */
const LABELS = /"([^"\n]*)"|>([^<>{}\n]+)</g;

test("no page or message says a word that was given up", () => {
  expect(files).toContain("components/inbox/inbox-list.tsx");
  const said = files.flatMap((file) => {
    const text = readFileSync(file, "utf8");
    const labels = Array.from(text.matchAll(LABELS), ([, quoted, shown]) => quoted ?? shown ?? "");
    const found = new Set([text, ...labels].flatMap(findRetiredTerms));
    return [...found].map((words) => `${file}: ${words}`);
  });
  expect(said).toEqual([]);
});

test("a word inside another and a label inside a sentence are not given up", () => {
  expect(findRetiredTerms("receive-mail took what it called at once")).toEqual([]);
  expect(findRetiredTerms("Took")).toEqual(["“Took” is now “Worked”"]);
  expect(findRetiredTerms("By e-mail")).toEqual(["“e-mail” is now “email”"]);
});

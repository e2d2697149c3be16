import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

const tracked = (...patterns: string[]) =>
  execFileSync("git", ["ls-files", ...patterns], { encoding: "utf8" })
    .trim()
    .split("\n");

test("every decision that the code cites can be read in docs/design/decisions.md", () => {
  const written = readFileSync("docs/design/decisions.md", "utf8");
  const cited = new Map<string, string>();
  for (const file of tracked("*.ts", "*.tsx", "*.prisma", "docs/**/*.md", "README.md", "CONTRIBUTING.md")) {
    for (const [id] of readFileSync(file, "utf8").matchAll(/\bD-\d+a?\b/g)) cited.set(id, file);
  }
  expect(cited.size).toBeGreaterThan(40);
  expect([...cited].filter(([id]) => !written.includes(`<a id="${id.toLowerCase()}"></a>`))).toEqual([]);
});

test("every path that docs/design/sources.md names exists", () => {
  const named = [
    ...readFileSync("docs/design/sources.md", "utf8").matchAll(/`((?:app|components|docs|examples|lib)\/[^`]+)`/g),
  ];
  expect(named.length).toBeGreaterThan(100);
  expect(named.map(([, path = ""]) => path).filter((path) => !existsSync(path))).toEqual([]);
});

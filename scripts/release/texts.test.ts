import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";

test("no text tells anybody to run a package of our name that we have not published", () => {
  const files = execFileSync("git", ["ls-files", "*.md", "*.ts", "*.tsx", "*.yaml", "*.json"], { encoding: "utf8" });
  const risky = /\b(?:npx|npm (?:exec|x|i|install)|pnpm dlx|bunx)(?: -\S+| --\S+)* (?:-- )?ringmaster\b(?![./-])/;
  const found = files
    .trim()
    .split("\n")
    .filter((file) => risky.test(readFileSync(file, "utf8")));
  expect(found).toEqual([]);
  expect(["npx", "ringmaster start"].join(" ")).toMatch(risky);
  expect(["npm install -g", "ringmaster"].join(" ")).toMatch(risky);
  expect("npx ./ringmaster-0.1.0.tgz").not.toMatch(risky);
});

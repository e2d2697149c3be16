import { execFileSync } from "node:child_process";
import { existsSync, globSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";

const PAGES = ["README.md", "CONTRIBUTING.md", "SECURITY.md", "CHANGELOG.md", ...globSync("{docs,examples/*}/**/*.md")];
const LINE = 120;

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

test("README fits on a few screens, with no row of a table that is longer than a line", () => {
  const lines = readFileSync("README.md", "utf8").split("\n");
  expect(lines.length).toBeLessThanOrEqual(130);
  expect(lines.filter((line) => line.startsWith("|") && line.length > LINE)).toEqual([]);
});

test("the index of docs/ lists every page of it", () => {
  const index = readFileSync("docs/README.md", "utf8");
  const pages = globSync("docs/**/*.md").map((file) => path.relative("docs", file));
  expect(pages.filter((page) => page !== "README.md" && !index.includes(`](${page})`))).toEqual([]);
});

test("every link between the pages leads to a file, and to a heading if it names one", () => {
  const links = PAGES.filter((file) => !file.includes("node_modules")).flatMap((file) =>
    [...readFileSync(file, "utf8").matchAll(/\]\((?!\w+:)([^)#\s]*)(?:#([^)]+))?\)/g)].map(
      ([, target = "", heading]) => ({
        file,
        to: target === "" ? file : path.join(path.dirname(file), target),
        heading,
      }),
    ),
  );
  expect(links.length).toBeGreaterThan(150);
  const broken = links.filter(
    ({ to, heading }) => !existsSync(to) || (heading !== undefined && !headingsOf(to).has(heading)),
  );
  expect(broken).toEqual([]);
});

/** The anchors of a page, as GitHub makes them. */
function headingsOf(file: string): Set<string> {
  const text = readFileSync(file, "utf8");
  const titles = [...text.matchAll(/^#+ (.+)$/gm)].map(([, title = ""]) =>
    title
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, "")
      .replaceAll(" ", "-"),
  );
  return new Set([...titles, ...[...text.matchAll(/<a id="([^"]+)"/g)].map(([, id = ""]) => id)]);
}

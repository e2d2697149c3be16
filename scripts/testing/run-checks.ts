// npm run check, and with --journeys npm test: all checks. `npm run check -- --changed` checks what differs from the last
// commit and the tests that it can affect, `--since main` what differs from a branch. Ends with one line
// `N passed, N failed`, summed over the runners.
import { execFileSync } from "node:child_process";
import { existsSync, globSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { inspect, parseArgs } from "node:util";
import { ensureClients } from "../database/generate-clients";
import { projectDirectory } from "../project-directory";
import { runNode } from "../run-command";
import { judgeLint } from "./judge-lint";
import { listOutsideErrors, listVitestFailures, listVitestSecondTries, type VitestReport } from "./list-failures";
import { OUTSIDE_ERRORS_FILE } from "./outside-errors-reporter";
import { runJourneys, type TestResult } from "./run-journeys";

/** This many source files are still easy to scan by eye. */
const COMFORTABLE_FILES = 15;
const LINTED = /\.(?:ts|tsx|mjs|css|json)$/;
const TESTED = /\.(?:ts|tsx|mjs)$/;

const { values } = parseArgs({
  options: {
    journeys: { type: "boolean", default: false },
    changed: { type: "boolean", default: false },
    since: { type: "string" },
  },
});
const results: TestResult[] = [];
const reports = mkdtempSync(path.join(tmpdir(), "ringmaster-reports-"));
// Tests start over a hundred processes: with the cache each loads our modules in half the time.
process.env.NODE_COMPILE_CACHE ??= path.join(reports, "compiled");

try {
  await ensureClients();
  // Types that Next derives from app/; like the clients, a fresh clone does not have them.
  await check("next typegen", "next/dist/bin/next", ["typegen"]);
  if (values.changed || values.since !== undefined) await checkChanged(values.since ?? "HEAD");
  else await checkAll();
} finally {
  rmSync(reports, { recursive: true, force: true });
}

list("passed only on the second try", "secondTries");
list("failed", "failures");
const sum = (key: "passed" | "failed") => results.reduce((total, result) => total + result[key], 0);
process.stdout.write(`\n${sum("passed")} passed, ${sum("failed")} failed\n`);
process.exit(sum("failed") === 0 ? 0 : 1);

async function checkAll(): Promise<void> {
  await runner("biome", () => lint(["."]));
  process.stdout.write(`Folders to look at, with more than ${COMFORTABLE_FILES} files: ${largeFolders().join(", ")}\n`);
  await check("tsc", "typescript/bin/tsc", ["--noEmit"]);
  await check("knip", "knip/bin/knip.js", ["--no-config-hints"]);
  await check("knip, tests aside", "knip/bin/knip.js", ["--no-config-hints", "--production", "--exclude", "types"]);
  await runner("vitest", () => runVitest(["run"]));
  if (values.journeys) await runner("playwright", () => runJourneys([], reports));
}

/** Without the unused code that only a look at the whole tree finds. */
async function checkChanged(reference: string): Promise<void> {
  const files = changedFiles(reference);
  process.stdout.write(`\n${files.length} changed files since ${reference}\n${files.join("\n")}\n`);
  const linted = files.filter((file) => LINTED.test(file));
  if (linted.length > 0) await runner("biome", () => lint(linted));
  await check("tsc", "typescript/bin/tsc", ["--noEmit"]);
  const tested = files.filter((file) => TESTED.test(file) && !file.startsWith("e2e/"));
  if (tested.length > 0) await runner("vitest", () => runVitest(["related", "--run", "--passWithNoTests", ...tested]));
}

/** Files that exist and differ from `reference`, new ones included. */
function changedFiles(reference: string): string[] {
  const git = (...gitArguments: string[]) =>
    execFileSync("git", gitArguments, { cwd: projectDirectory, encoding: "utf8" }).split("\n").filter(Boolean);
  const base = reference === "HEAD" ? ["HEAD"] : git("merge-base", reference, "HEAD");
  const changed = git("diff", "--name-only", "--diff-filter=d", ...base);
  return [...new Set([...changed, ...git("ls-files", "--others", "--exclude-standard")])].sort();
}

/** One run of Biome; what it must not find is in `judgeLint`. */
async function lint(files: readonly string[]): Promise<TestResult> {
  const report = path.join(reports, "biome.json");
  const options = [
    "--reporter=json",
    `--reporter-file=${report}`,
    "--max-diagnostics=none",
    "--no-errors-on-unmatched",
  ];
  await runNode("node_modules/@biomejs/biome/bin/biome", ["check", ...options, ...files]);
  const { problems, large } = judgeLint(JSON.parse(readFileSync(report, "utf8")));
  process.stdout.write(`${large} places larger than comfortable; npx biome check . lists them\n`);
  return problems.length === 0 ? { passed: 1, failed: 0 } : { passed: 0, failed: 1, failures: problems };
}

/** Prints the names found by the runners, under a heading; nothing if there are none. */
function list(heading: string, key: "failures" | "secondTries"): void {
  const found = results.flatMap((result) => result[key] ?? []);
  if (found.length > 0) process.stdout.write(`\n── ${heading}\n${found.join("\n\n")}\n`);
}

/** A program that only says yes or no counts as one test. */
async function check(name: string, program: string, programArguments: readonly string[]): Promise<void> {
  await runner(name, async () => {
    const code = await runNode(`node_modules/${program}`, programArguments);
    return code === 0 ? { passed: 1, failed: 0 } : { passed: 0, failed: 1, failures: [name] };
  });
}

function largeFolders(): string[] {
  const exclude = ["**/*.test.*", "**/generated/**", "**/node_modules/**"];
  const files = globSync("{app,components,lib,scripts,bench,e2e}/**/*.{ts,tsx}", { cwd: projectDirectory, exclude });
  return [...Map.groupBy(files, path.dirname)]
    .filter(([, { length }]) => length > COMFORTABLE_FILES)
    .map(([folder, { length }]) => `${folder} (${length})`);
}

async function runner(name: string, run: () => Promise<TestResult>): Promise<void> {
  process.stdout.write(`\n── ${name}\n`);
  const result = await run().catch((error: unknown) => {
    process.stdout.write(`${inspect(error)}\n`);
    return {
      passed: 0,
      failed: 1,
      failures: [`${name} did not run: ${error instanceof Error ? error.message : error}`],
    };
  });
  results.push(result);
  process.stdout.write(`── ${name}: ${result.passed} ok, ${result.failed} not ok\n`);
}

async function runVitest(command: readonly string[]): Promise<TestResult> {
  const file = path.join(reports, "vitest.json");
  const outside = path.join(reports, "outside.json");
  const names = ["default", "json", "./scripts/testing/outside-errors-reporter.ts"];
  const reporters = names.map((name) => `--reporter=${name}`);
  const code = await runNode(
    "node_modules/vitest/vitest.mjs",
    [...command, ...reporters, `--outputFile.json=${file}`],
    {
      NODE_ENV: "test",
      [OUTSIDE_ERRORS_FILE]: outside,
    },
  );
  if (!existsSync(file) || !existsSync(outside)) return { passed: 0, failed: 1, failures: ["vitest stopped early"] };
  const report: VitestReport = JSON.parse(readFileSync(file, "utf8"));
  // Errors thrown outside tests also fail the run, and so does a file that does not even load.
  const failures = [...listVitestFailures(report), ...listOutsideErrors(JSON.parse(readFileSync(outside, "utf8")))];
  if (code !== 0 && failures.length === 0) failures.push(`vitest ended with ${code} and names no failure`);
  return {
    passed: report.numPassedTests,
    failed: failures.length,
    failures,
    secondTries: listVitestSecondTries(report),
  };
}

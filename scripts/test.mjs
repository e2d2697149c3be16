// npm test: every check there is. Closes with one line `N passed, N failed`, summed over the runners.
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { runBrowserTests } from "./browser-tests.mjs";
import { ensureClients } from "./generate-clients.mjs";
import { listOutsideErrors, listVitestFailures, listVitestSecondTries } from "./list-failures.mjs";
import { OUTSIDE_ERRORS_FILE } from "./outside-errors-reporter.mjs";
import { runNode } from "./run-command.mjs";

const NEXT = "node_modules/next/dist/bin/next";
const results = [];
const reports = mkdtempSync(path.join(tmpdir(), "ringmaster-reports-"));

try {
  await ensureClients();
  // Types that Next derives from app/, which a fresh clone does not have.
  await check("next typegen", () => runNode(NEXT, ["typegen"]));
  await check("biome", () => runNode("node_modules/@biomejs/biome/bin/biome", ["check", "."]));
  await check("tsc", () => runNode("node_modules/typescript/bin/tsc", ["--noEmit"]));
  await runner("vitest", runVitest);
  await runner("playwright", () => runBrowserTests([], reports));
} finally {
  rmSync(reports, { recursive: true, force: true });
}

list("passed only at the second try", "secondTries");
list("failed", "failures");
const sum = (key) => results.reduce((total, result) => total + result[key], 0);
process.stdout.write(`\n${sum("passed")} passed, ${sum("failed")} failed\n`);
process.exit(sum("failed") === 0 ? 0 : 1);

/** The names that the runners have found, under a heading; nothing where there are none. */
function list(heading, key) {
  const found = results.flatMap((result) => result[key] ?? []);
  if (found.length > 0) process.stdout.write(`\n── ${heading}\n${found.join("\n\n")}\n`);
}

/** A program that only says yes or no counts as one test. */
async function check(name, run) {
  await runner(name, async () =>
    (await run()) === 0 ? { passed: 1, failed: 0 } : { passed: 0, failed: 1, failures: [name] },
  );
}

async function runner(name, run) {
  process.stdout.write(`\n── ${name}\n`);
  let result;
  try {
    result = await run();
  } catch (error) {
    process.stdout.write(`${error?.stack ?? error}\n`);
    result = { passed: 0, failed: 1, failures: [`${name} did not run: ${error?.message ?? error}`] };
  }
  results.push(result);
  process.stdout.write(`── ${name}: ${result.passed} ok, ${result.failed} not ok\n`);
}

async function runVitest() {
  const file = path.join(reports, "vitest.json");
  const outside = path.join(reports, "outside.json");
  const reporters = ["default", "json", "./scripts/outside-errors-reporter.mjs"].map((name) => `--reporter=${name}`);
  const code = await runNode("node_modules/vitest/vitest.mjs", ["run", ...reporters, `--outputFile.json=${file}`], {
    NODE_ENV: "test",
    [OUTSIDE_ERRORS_FILE]: outside,
  });
  if (!existsSync(file) || !existsSync(outside)) return { passed: 0, failed: 1, failures: ["vitest broke off"] };
  const report = JSON.parse(readFileSync(file, "utf8"));
  // What is thrown outside of tests fails the run too, and so does a file that does not even load.
  const failures = [...listVitestFailures(report), ...listOutsideErrors(JSON.parse(readFileSync(outside, "utf8")))];
  if (code !== 0 && failures.length === 0) failures.push(`vitest ended with ${code} and names no failure`);
  return {
    passed: report.numPassedTests,
    failed: failures.length,
    failures,
    secondTries: listVitestSecondTries(report),
  };
}

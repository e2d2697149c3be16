// npm test: every check there is. Closes with one line `N passed, N failed`, summed over the runners.
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { runBrowserTests } from "./browser-tests.mjs";
import { ensureClients } from "./generate-clients.mjs";
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

const sum = (key) => results.reduce((total, result) => total + result[key], 0);
process.stdout.write(`\n${sum("passed")} passed, ${sum("failed")} failed\n`);
process.exit(sum("failed") === 0 ? 0 : 1);

/** A program that only says yes or no counts as one test. */
async function check(name, run) {
  await runner(name, async () => ((await run()) === 0 ? { passed: 1, failed: 0 } : { passed: 0, failed: 1 }));
}

async function runner(name, run) {
  process.stdout.write(`\n── ${name}\n`);
  let result;
  try {
    result = await run();
  } catch (error) {
    process.stdout.write(`${error?.stack ?? error}\n`);
    result = { passed: 0, failed: 1 };
  }
  results.push(result);
  process.stdout.write(`── ${name}: ${result.passed} ok, ${result.failed} not ok\n`);
}

async function runVitest() {
  const file = path.join(reports, "vitest.json");
  const reporters = ["--reporter=default", "--reporter=json", `--outputFile.json=${file}`];
  const code = await runNode("node_modules/vitest/vitest.mjs", ["run", ...reporters], { NODE_ENV: "test" });
  if (!existsSync(file)) return { passed: 0, failed: 1 };
  const report = JSON.parse(readFileSync(file, "utf8"));
  // A file that does not even load has no tests: it counts as one that failed. So does a failure outside of tests.
  const broken = report.testResults.filter((suite) => suite.status === "failed" && suite.assertionResults.length === 0);
  const failed = report.numFailedTests + broken.length;
  return { passed: report.numPassedTests, failed: code !== 0 && failed === 0 ? 1 : failed };
}

// npm run e2e [-- arguments of Playwright]: the journeys of e2e/. Each Playwright worker starts its own production
// servers (e2e/support/journey.ts).
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { ensureClients } from "../database/generate-clients";
import { isMain } from "../is-main";
import { runNode } from "../run-command";
import { ensureBuild } from "../server/build";
import { findChromium, findShell } from "./find-chromium";
import { listPlaywrightFailures, listPlaywrightSecondTries, type PlaywrightReport } from "./list-failures";

/** A test runner's result: names with the first lines of why; `secondTries` failed at first and then passed. */
export interface TestResult {
  readonly passed: number;
  readonly failed: number;
  readonly failures?: readonly string[];
  readonly secondTries?: readonly string[];
}

/** Runs Playwright with `extraArguments`. */
export async function runJourneys(extraArguments: readonly string[], reportDirectory: string): Promise<TestResult> {
  const chromium = await findChromium();
  await ensureBuild();
  const file = path.join(reportDirectory, "playwright.json");
  const code = await runNode("node_modules/@playwright/test/cli.js", ["test", ...extraArguments], {
    RINGMASTER_E2E_CHROMIUM: chromium,
    RINGMASTER_E2E_SHELL: await findShell(),
    PLAYWRIGHT_JSON_OUTPUT_NAME: file,
    PLAYWRIGHT_HTML_OPEN: "never",
  });
  if (!existsSync(file)) return { passed: 0, failed: 1, failures: ["playwright stopped early"] };
  const report: PlaywrightReport = JSON.parse(readFileSync(file, "utf8"));
  const { expected, unexpected: failed, flaky } = report.stats;
  return {
    passed: expected + flaky,
    failed: code !== 0 && failed === 0 ? 1 : failed,
    failures: listPlaywrightFailures(report),
    secondTries: listPlaywrightSecondTries(report),
  };
}

async function main(): Promise<void> {
  const reports = mkdtempSync(path.join(tmpdir(), "ringmaster-reports-"));
  try {
    await ensureClients();
    const { passed, failed } = await runJourneys(process.argv.slice(2), reports);
    process.stdout.write(`${passed} passed, ${failed} failed\n`);
    process.exitCode = failed === 0 ? 0 : 1;
  } finally {
    rmSync(reports, { recursive: true, force: true });
  }
}

if (isMain(import.meta.url)) await main();

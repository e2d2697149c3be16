// The journeys of e2e/. Each worker of Playwright starts production servers of its own (e2e/support/journey.ts).
import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { ensureBuild } from "./build-mark.mjs";
import { findChromium } from "./find-chromium.mjs";
import { listPlaywrightFailures, listPlaywrightSecondTries } from "./list-failures.mjs";
import { projectDirectory } from "./prisma-cli.mjs";
import { runNode } from "./run-command.mjs";

/**
 * Runs Playwright with `extraArguments`; returns how many journeys passed and failed, which failed, and which passed
 * only at the second try.
 */
export async function runBrowserTests(extraArguments, reportDirectory) {
  if (!hasJourneys()) return { passed: 0, failed: 0 };
  const chromium = await findChromium();
  await ensureBuild();
  const file = path.join(reportDirectory, "playwright.json");
  const code = await runNode("node_modules/@playwright/test/cli.js", ["test", ...extraArguments], {
    RINGMASTER_E2E_CHROMIUM: chromium,
    PLAYWRIGHT_JSON_OUTPUT_NAME: file,
    PLAYWRIGHT_HTML_OPEN: "never",
  });
  if (!existsSync(file)) return { passed: 0, failed: 1 };
  const report = JSON.parse(readFileSync(file, "utf8"));
  const { expected, unexpected: failed, flaky } = report.stats;
  const failures = listPlaywrightFailures(report);
  const secondTries = listPlaywrightSecondTries(report);
  return { passed: expected + flaky, failed: code !== 0 && failed === 0 ? 1 : failed, failures, secondTries };
}

function hasJourneys() {
  const directory = path.join(projectDirectory, "e2e");
  return existsSync(directory) && readdirSync(directory).some((file) => file.endsWith(".spec.ts"));
}

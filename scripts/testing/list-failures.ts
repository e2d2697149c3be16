// The names of tests that failed, or passed only on the second try (in CI), with the first lines of why: npm test ends
// with them, so that the end of a log is enough.
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { stripVTControlCharacters } from "node:util";
import type { JSONReport, JSONReportSpec, JSONReportSuite, JSONReportTestResult } from "@playwright/test/reporter";
import type { JsonTestResults } from "vitest/node";
import { projectDirectory } from "../project-directory";

/** The parts of each runner's report that are read. */
export type VitestReport = Pick<JsonTestResults, "testResults" | "numPassedTests">;
export type PlaywrightReport = Pick<JSONReport, "suites" | "stats" | "errors">;

const MAX_MESSAGE_LINES = 12;
const MAX_PAGE_LINES = 60;

/** From Vitest's JSON report: `path › test`, then why. A file that does not load is listed by itself. */
export function listVitestFailures(report: VitestReport): string[] {
  return report.testResults.flatMap((suite) => {
    const file = path.relative(projectDirectory, suite.name);
    const failed = suite.assertionResults.filter((test) => test.status === "failed");
    if (suite.status === "failed" && failed.length === 0) return [describe(file, suite.message)];
    return failed.map((test) => describe(`${file} › ${test.fullName}`, (test.failureMessages ?? []).join("\n")));
  });
}

/** From Vitest's JSON report, which keeps the errors of a failed try: the tests that passed nevertheless. */
export function listVitestSecondTries(report: VitestReport): string[] {
  return report.testResults.flatMap((suite) => {
    const file = path.relative(projectDirectory, suite.name);
    const late = suite.assertionResults.filter(
      (test) => test.status === "passed" && (test.failureMessages ?? []).length > 0,
    );
    return late.map((test) => describe(`${file} › ${test.fullName}`, (test.failureMessages ?? []).join("\n")));
  });
}

/** Texts of errors thrown while no test was waiting for them. */
export function listOutsideErrors(errors: readonly string[]): string[] {
  return errors.map((text) => describe("outside of a test", text));
}

/** From Playwright's JSON report: `path:line › journey`, then why. */
export function listPlaywrightFailures(report: PlaywrightReport): string[] {
  const specs = report.suites.flatMap(specsOf).filter((spec) => !spec.ok);
  const outside = report.errors.map((error) => describe("outside of a journey", error.message));
  return [...specs.map(describeSpec), ...outside];
}

/** From Playwright's JSON report: the journeys that did not pass on the first try. */
export function listPlaywrightSecondTries(report: PlaywrightReport): string[] {
  return report.suites
    .flatMap(specsOf)
    .filter((spec) => spec.tests.some((test) => test.status === "flaky"))
    .map(describeSpec);
}

function specsOf(suite: JSONReportSuite): JSONReportSpec[] {
  return [...suite.specs, ...(suite.suites ?? []).flatMap(specsOf)];
}

/** The errors of the first failed try, and what the page then showed. */
function describeSpec(spec: JSONReportSpec): string {
  const failed = spec.tests.flatMap(({ results }) => results.find(({ errors }) => errors.length > 0) ?? []);
  const errors = failed.flatMap((result) => result.errors).map(({ message }) => message);
  const described = describe(`e2e/${spec.file}:${spec.line} › ${spec.title}`, errors.join("\n"));
  return [described, ...failed.flatMap(shownPage).map((line) => `    ${line}`)].join("\n");
}

/** The main part of the page as Playwright describes it, for readers who only have the log. */
function shownPage({ attachments }: JSONReportTestResult): string[] {
  const file = attachments.find(({ name }) => name === "error-context")?.path;
  if (file === undefined || !existsSync(file)) return [];
  const [, snapshot = ""] = readFileSync(file, "utf8").split(/^```yaml\n/m);
  const lines = snapshot.split("\n```")[0]?.split("\n") ?? [];
  const main = lines.findIndex((line) => /^\s*- (main|dialog)\b/.test(line));
  return lines.slice(Math.max(main, 0)).slice(0, MAX_PAGE_LINES);
}

function describe(name: string, message: string | undefined): string {
  const lines = stripVTControlCharacters(message ?? "").split("\n");
  const shown = lines.filter((line) => line.trim() && !line.includes("node_modules")).slice(0, MAX_MESSAGE_LINES);
  return [name, ...shown.map((line) => `    ${line}`)].join("\n");
}

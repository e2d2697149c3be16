import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, expect, test } from "vitest";
import {
  listPlaywrightFailures,
  listPlaywrightSecondTries,
  listVitestFailures,
  listVitestSecondTries,
  type PlaywrightReport,
} from "./list-failures";

const MODULES = fileURLToPath(new URL("../../node_modules", import.meta.url));
let directory: string;

beforeEach(() => {
  directory = realpathSync(mkdtempSync(path.join(tmpdir(), "ringmaster-listing-")));
});

afterEach(() => rmSync(directory, { recursive: true, force: true }));

/** Runs a test runner over `source` in the folder, with one retry; returns the JSON report. */
async function report(program: string, options: readonly string[], file: string, source: string) {
  writeFileSync(path.join(directory, file), source);
  const output = path.join(directory, "report.json");
  const env = { NODE_ENV: "test", PATH: process.env.PATH, PLAYWRIGHT_JSON_OUTPUT_NAME: output } as const;
  await new Promise((resolve) => {
    execFile(process.execPath, [path.join(MODULES, program), ...options], { cwd: directory, env }, resolve);
  });
  return JSON.parse(readFileSync(output, "utf8"));
}

test("lists the tests of Vitest's report that fail, and those that pass only on the second try", async () => {
  const options = ["run", "--globals", "--retry=1", "--reporter=json", "--outputFile=report.json"];
  const source = `let tries = 0;
    test("steady", () => expect(1).toBe(1));
    test("unsteady", () => expect(++tries, "try " + tries).toBe(2));
    test("broken", () => expect("what came").toBe("what should"));`;
  const found = await report("vitest/vitest.mjs", options, "sample.test.js", source);
  const name = path.relative(path.dirname(MODULES), path.join(directory, "sample.test.js"));
  expect(listVitestSecondTries(found)).toEqual([expect.stringMatching(/› unsteady\n.*try 1: expected 1 to be 2/)]);
  expect(listVitestSecondTries(found)[0]).toContain(`${name} › `);
  expect(listVitestFailures(found)).toEqual([expect.stringMatching(/› broken\n.*expected 'what came'/)]);
  expect(found).toMatchObject({ numPassedTests: 2, numFailedTests: 1 });
});

test("lists the journeys of Playwright's report that fail, and those that pass only on the second try", async () => {
  const options = ["test", "--retries=1", "--reporter=json", "--workers=1"];
  const source = `import { expect, test } from ${JSON.stringify(path.join(MODULES, "@playwright/test/index.mjs"))};
    test("steady", () => expect(1).toBe(1));
    test("unsteady", ({}, { retry }) => expect(retry, "try " + (retry + 1)).toBe(1));
    test("broken", () => expect("what came").toBe("what should"));`;
  const found = await report("@playwright/test/cli.js", options, "sample.spec.mjs", source);
  expect(listPlaywrightSecondTries(found)).toEqual([
    expect.stringMatching(/^e2e\/sample.spec.mjs:3 › unsteady\n.*try 1/),
  ]);
  expect(listPlaywrightFailures(found)).toEqual([expect.stringMatching(/^e2e\/sample.spec.mjs:4 › broken/)]);
  expect(found.stats).toMatchObject({ expected: 1, flaky: 1, unexpected: 1 });
});

test("a journey that failed is listed with what its page showed", () => {
  const context = path.join(directory, "error-context.md");
  const page = ["- navigation", "- main:", "  - textbox: /daily"];
  writeFileSync(context, `# Page snapshot\n\n\`\`\`yaml\n${page.join("\n")}\n\`\`\`\n\n# Test source\n`);
  const attachments = [{ name: "error-context", contentType: "text/markdown", path: context }];
  const result = { status: "failed", errors: [{ message: "not found" }], attachments };
  const spec = {
    title: "story",
    file: "a.spec.ts",
    line: 3,
    ok: false,
    tests: [{ status: "unexpected", results: [result] }],
  };
  const report = { suites: [{ specs: [spec] }], errors: [] } as unknown as PlaywrightReport;
  expect(listPlaywrightFailures(report)).toEqual([
    "e2e/a.spec.ts:3 › story\n    not found\n    - main:\n      - textbox: /daily",
  ]);
});

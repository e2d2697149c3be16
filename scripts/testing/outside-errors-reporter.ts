// A Vitest reporter for npm test: writes errors that belong to no test (thrown while none waited) to a file.
import { writeFileSync } from "node:fs";
import type { Reporter } from "vitest/node";

/** The file that receives the errors, one string each as JSON; set by run-checks.ts. */
export const OUTSIDE_ERRORS_FILE = "RINGMASTER_TEST_OUTSIDE_ERRORS";

export default class OutsideErrorsReporter implements Reporter {
  onTestRunEnd(...[, unhandledErrors]: Parameters<NonNullable<Reporter["onTestRunEnd"]>>): void {
    const file = process.env[OUTSIDE_ERRORS_FILE];
    if (file) writeFileSync(file, JSON.stringify(unhandledErrors.map((error) => error.stack ?? error.message)));
  }
}

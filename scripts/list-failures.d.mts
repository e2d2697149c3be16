/** What the JSON reporter of Vitest writes, as far as it is read. */
interface VitestReport {
  readonly testResults: readonly object[];
}

/** What the JSON reporter of Playwright writes, as far as it is read. */
interface PlaywrightReport {
  readonly suites: readonly object[];
}

export function listVitestFailures(report: VitestReport): string[];
export function listVitestSecondTries(report: VitestReport): string[];
export function listOutsideErrors(errors: readonly string[]): string[];
export function listPlaywrightFailures(report: PlaywrightReport): string[];
export function listPlaywrightSecondTries(report: PlaywrightReport): string[];

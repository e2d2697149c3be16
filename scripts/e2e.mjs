// npm run e2e [-- arguments of Playwright]
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { runBrowserTests } from "./browser-tests.mjs";
import { ensureClients } from "./generate-clients.mjs";

const reports = mkdtempSync(path.join(tmpdir(), "ringmaster-reports-"));
try {
  await ensureClients();
  const { passed, failed } = await runBrowserTests(process.argv.slice(2), reports);
  process.stdout.write(`${passed} passed, ${failed} failed\n`);
  process.exitCode = failed === 0 ? 0 : 1;
} finally {
  rmSync(reports, { recursive: true, force: true });
}

// npm run bench:memory [-- --rest 120 --settle-minutes 28]: what the server of the packed release keeps in memory when
// nothing happens: two minutes after its start and one page, after ten more pages, and so many minutes later; and how
// long its first and second start take. Fails above the limits.
import type { ChildProcess } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { type BrowserContext, chromium } from "@playwright/test";
import { findShell } from "../../scripts/testing/find-chromium";
import { residentMegabytes } from "../../scripts/testing/resident-memory";
import { installRelease, startRelease, stopServer } from "./released-server";

const MOST_AT_REST_MB = 220;
const MOST_AFTER_PAGES_MB = 260;
const MOST_FIRST_START_MS = 15_000;
const MOST_NEXT_START_MS = 3_000;
const PERSON = { email: "ada@example.org", password: "a-long-bench-password" };
const ADMIN = { RINGMASTER_ADMIN_EMAIL: PERSON.email, RINGMASTER_ADMIN_PASSWORD: PERSON.password };
const PAGES = [
  ...["traces", "schedules", "boards", "inbox", "admin/agents"],
  ...["admin/tools", "admin/providers", "admin/skills", "admin/usage", "admin/settings"],
];

const { values } = parseArgs({
  options: { rest: { type: "string", default: "120" }, "settle-minutes": { type: "string", default: "0" } },
});
const settleMinutes = Number(values["settle-minutes"]);
const restMs = Number(values.rest) * 1_000;
const folder = mkdtempSync(path.join(tmpdir(), "ringmaster-memory-"));
try {
  installRelease(folder);
  const { server, url, startedMs } = await startRelease(folder, ADMIN);
  judge("first start", startedMs, MOST_FIRST_START_MS, "ms");
  const browser = await chromium.launch({ executablePath: await findShell(), args: ["--no-sandbox"] });
  try {
    const context = await browser.newContext({ baseURL: url });
    await context.request.post("/api/auth/sign-in/email", { data: PERSON, headers: { origin: url } });
    await visit(context, "/");
    judge(`${values.rest} s after one page`, await rest(server), MOST_AT_REST_MB, "MB");
    for (const page of PAGES) await visit(context, `/${page}`);
    judge(`${values.rest} s after ${PAGES.length} more pages`, await rest(server), MOST_AFTER_PAGES_MB, "MB");
    if (settleMinutes > 0) {
      await sleep(settleMinutes * 60_000);
      judge(`${settleMinutes} minutes later`, residentMegabytes(server.pid ?? 0), MOST_AFTER_PAGES_MB, "MB");
    }
  } finally {
    await browser.close();
    await stopServer(server);
  }
  const again = await startRelease(folder, ADMIN);
  await stopServer(again.server);
  judge("second start", again.startedMs, MOST_NEXT_START_MS, "ms");
} finally {
  rmSync(folder, { recursive: true, force: true });
}

/** Opens the page and closes it once it shows something. */
async function visit(context: BrowserContext, address: string): Promise<void> {
  const page = await context.newPage();
  const reply = await page.goto(address);
  if (reply?.status() !== 200) throw new Error(`${address}: ${reply?.status()}`);
  await page.getByRole("main").waitFor();
  await page.close();
}

async function rest({ pid }: ChildProcess): Promise<number> {
  await sleep(restMs);
  return residentMegabytes(pid ?? 0);
}

function judge(what: string, measured: number, most: number, unit: "MB" | "ms"): void {
  const isTooMuch = measured > most;
  console.log(`${what}: ${Math.round(measured)} ${unit} (at most ${most})${isTooMuch ? " TOO MUCH" : ""}`);
  if (isTooMuch) process.exitCode = 1;
}

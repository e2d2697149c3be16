import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { applyMigrations } from "../scripts/database/apply-migrations";
import { startPostgres } from "../scripts/database/postgres-server";
import { isTiny } from "./is-tiny";
import { percentile } from "./statistics";

type Database = import("../lib/server/platform/db/database").Database;

/**
 * Measures on SQLite, then on Postgres, each in its own process, because a process has one database. `--keep` keeps the
 * folder.
 */
export async function onBothDatabases(measure: (database: Database) => Promise<boolean>): Promise<void> {
  const url = process.env.RINGMASTER_BENCH_DATABASE;
  if (url === undefined) return await startBoth();
  await applyMigrations(url);
  const { openServices } = await import("../lib/server/wiring/services");
  const { database } = await openServices();
  const isQuickEnough = await measure(database);
  if (!isQuickEnough && !isTiny) process.exitCode = 1;
  await database.close();
}

async function startBoth(): Promise<void> {
  const directory = mkdtempSync(path.join(tmpdir(), "ringmaster-bench-"));
  const postgres = await startPostgres();
  try {
    for (const database of [`file:${path.join(directory, "ringmaster.db")}`, postgres.url]) {
      if ((await runChild(database, directory)) !== 0) process.exitCode = 1;
    }
  } finally {
    await postgres.stop();
    if (process.argv.includes("--keep")) console.log(`Kept: ${directory}`);
    else rmSync(directory, { recursive: true, force: true });
  }
}

function runChild(database: string, directory: string): Promise<number> {
  const variables = { RINGMASTER_BENCH_DATABASE: database, DATABASE_URL: database, RINGMASTER_DATA_DIR: directory };
  const child = spawn(process.execPath, [...process.execArgv, ...process.argv.slice(1)], {
    env: { ...process.env, ...variables, RINGMASTER_LOG_LEVEL: "error" },
    stdio: "inherit",
  });
  return new Promise((resolve, reject) => child.once("error", reject).once("close", (code) => resolve(code ?? 1)));
}

export const ROUNDS = isTiny ? 2 : 60;
const WARM_UPS = isTiny ? 0 : 5;

/** The time of `run` in ms, over all rounds except the first few. */
export async function timeRounds(run: () => Promise<string>): Promise<{ p50: number; p95: number }> {
  const samples: number[] = [];
  for (let round = -WARM_UPS; round < ROUNDS; round += 1) {
    const startedAt = performance.now();
    await run();
    if (round >= 0) samples.push(performance.now() - startedAt);
  }
  const rounded = (fraction: number) => Math.round(percentile(samples, fraction) * 10) / 10;
  return { p50: rounded(0.5), p95: rounded(0.95) };
}

import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { PostgresServer } from "../../scripts/database/postgres-server";
import { freePort } from "../../scripts/free-port";
import type { Client } from "./client";
import type { HoldingProvider } from "./holding-provider";
import type { SharedDatabase } from "./shared-installation";

const ADMIN_KEY = "bench-bench-bench-bench-bench";
const ADMIN_HEADERS = { authorization: `Bearer ${ADMIN_KEY}`, "content-type": "application/json" };
const folders: string[] = [];

export interface Installation {
  readonly postgres: PostgresServer;
  readonly provider: HoldingProvider;
  readonly database: SharedDatabase;
}

export interface ServerProcess {
  readonly address: string;
  readonly child: ChildProcess;
}

export async function startProcess({ postgres, provider }: Installation, role: "web" | "worker", slots: string) {
  const port = await freePort();
  const directory = mkdtempSync(path.join(tmpdir(), "ringmaster-bench-"));
  folders.push(directory);
  const child = spawn(process.execPath, ["scripts/start.mjs"], {
    env: {
      ...process.env,
      PORT: String(port),
      DATABASE_URL: postgres.url,
      RINGMASTER_NO_DOTENV: "1",
      RINGMASTER_DATA_DIR: directory,
      RINGMASTER_ROLE: role,
      RINGMASTER_WORKER_SLOTS: slots,
      RINGMASTER_SECRET: "a secret that all processes share",
      RINGMASTER_ADMIN_API_KEY: ADMIN_KEY,
      RINGMASTER_LOG_LEVEL: "warn",
      OPENAI_COMPATIBLE_BASE_URL: provider.url,
    },
    stdio: ["ignore", "ignore", "inherit"],
  });
  const address = `http://127.0.0.1:${port}`;
  while (!(await isHealthy(address))) {
    if (child.exitCode !== null) throw new Error(`A ${role} did not start.`);
    await sleep(100);
  }
  return { address, child };
}

async function isHealthy(address: string): Promise<boolean> {
  const reply = await fetch(`${address}/health`).catch(() => null);
  await reply?.arrayBuffer();
  return reply?.ok ?? false;
}

export async function stop({ child }: ServerProcess, signal: NodeJS.Signals = "SIGTERM"): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill(signal);
  await once(child, "exit");
}

export async function withProcesses(
  installation: Installation,
  roles: readonly ("web" | "worker")[],
  slots: string,
  work: (processes: readonly ServerProcess[]) => Promise<void>,
): Promise<void> {
  const processes: ServerProcess[] = [];
  try {
    for (const role of roles) processes.push(await startProcess(installation, role, slots));
    await work(processes);
  } finally {
    await Promise.all(processes.map((each) => stop(each)));
  }
}

/** A client for each process, as the administrator. */
export function clients(processes: readonly ServerProcess[]): Client[] {
  return processes.map(({ address }) => ({ address, headers: ADMIN_HEADERS }));
}

/** Removes what stopped processes left behind. */
export function removeFolders(): void {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
}

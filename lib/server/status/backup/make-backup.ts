import "server-only";
import { execFile } from "node:child_process";
import { copyFile, mkdtemp, rename, rm, stat, writeFile } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { AppError } from "@/lib/schema/app-error";
import type { BackupProgress, BackupSummary } from "@/lib/schema/settings/backup";
import { copyTree } from "@/lib/server/files/copy-tree";
import { STAGING_PREFIX } from "@/lib/server/platform/data-directory";
import { askSqliteProcess } from "@/lib/server/platform/db/aside/sqlite-process";
import { clientEnvironment, explainClient, pathOnly } from "@/lib/server/platform/db/postgres-client";
import { env } from "@/lib/server/platform/env";
import { logger } from "@/lib/server/platform/logger";
import { makeFolder } from "@/lib/server/platform/make-folder";
import { type Services, serviceState } from "@/lib/server/platform/services";
import { VERSION } from "@/lib/server/platform/version";

export const DATABASE_FILE = "ringmaster.db";
export const DUMP_FILE = "ringmaster.dump";
export const SUMMARY_FILE = "backup.json";
/** Ends the name of an archive that is being packed. */
export const PARTIAL = ".partial";

const COPY_TIMEOUT_MS = 3_600_000;
const PROGRESS_EVERY_MS = 250;

interface State {
  running: BackupProgress | null;
  problem: string | null;
}

export const backupState = serviceState("backup", (): State => ({ running: null, problem: null }));

/**
 * Writes `target`, a `.tar.gz` with a consistent snapshot of the database, the workspaces, the extensions and
 * `agents.yaml`, without the secret. The file appears only once it is complete and `beforeItAppears` has succeeded.
 * Throws `busy` while another backup is running, `conflict` if pg_dump is missing or too old.
 */
export async function makeBackup(services: Services, target: string, beforeItAppears = async () => {}): Promise<void> {
  const state = backupState(services);
  if (state.running) throw new AppError("busy", "A backup is being made. Wait until it is done.");
  const startedAt = new Date().toISOString();
  const enter = (phase: BackupProgress["phase"], share: number | null = null) => {
    state.running = { phase, share, startedAt };
  };
  enter("database", 0);
  const staging = await mkdtemp(path.join(env().dataDirectory, STAGING_PREFIX)).catch((error: unknown) => {
    state.running = null;
    throw error;
  });
  try {
    const facts = await copyDatabase(staging, (share) => enter("database", share));
    enter("files");
    await copyFiles(staging);
    await writeFile(path.join(staging, SUMMARY_FILE), `${JSON.stringify(facts, null, 2)}\n`);
    enter("packing");
    makeFolder(path.dirname(target), 0o700);
    await pack(staging, target, beforeItAppears);
    state.problem = null;
  } catch (error) {
    state.problem = error instanceof AppError ? error.message : `The backup failed: ${wordsOf(error)}`;
    throw error;
  } finally {
    state.running = null;
    await rm(staging, { recursive: true, force: true });
  }
}

async function copyDatabase(staging: string, onShare: (share: number) => void): Promise<BackupSummary> {
  const { databaseUrl } = env();
  const isSqlite = databaseUrl.startsWith("file:");
  if (isSqlite) await copySqlite(databaseUrl.slice("file:".length), path.join(staging, DATABASE_FILE), onShare);
  else await dumpPostgres(databaseUrl, path.join(staging, DUMP_FILE));
  return {
    format: "ringmaster.backup",
    version: VERSION,
    createdAt: new Date().toISOString(),
    database: isSqlite ? "sqlite" : "postgresql",
  };
}

/** Reading in one transaction blocks no writer, and the result is a file without a journal. */
async function copySqlite(from: string, to: string, onShare: (share: number) => void): Promise<void> {
  const { size } = await stat(from);
  const timer = setInterval(() => {
    void stat(to).then(
      (copy) => onShare(Math.min(1, copy.size / Math.max(1, size))),
      () => undefined,
    );
  }, PROGRESS_EVERY_MS);
  const script = `new Connection(values[0], { readonly: true, timeout: 5000 }).prepare("vacuum into ?").run(values[1]);`;
  try {
    await askSqliteProcess(script, [from, to], COPY_TIMEOUT_MS);
  } finally {
    clearInterval(timer);
  }
}

async function dumpPostgres(url: string, to: string): Promise<void> {
  const options = { env: clientEnvironment(url), timeout: COPY_TIMEOUT_MS };
  try {
    await promisify(execFile)("pg_dump", ["--format=custom", `--file=${to}`, "--no-password"], options);
  } catch (error) {
    const { reason, remedy } = explainClient(error);
    throw new AppError("conflict", `${reason} ${remedy}`.trim(), { cause: error });
  }
}

async function copyFiles(staging: string): Promise<void> {
  const { dataDirectory } = env();
  const leftOut: string[] = [];
  for (const name of ["workspaces", "extensions"]) {
    leftOut.push(...(await copyTree(path.join(dataDirectory, name), path.join(staging, name))));
  }
  await copyFile(path.join(dataDirectory, "agents.yaml"), path.join(staging, "agents.yaml")).catch((error: unknown) => {
    if (!isMissing(error)) throw error;
  });
  if (leftOut.length > 0) logger().warn({ leftOut: leftOut.slice(0, 20) }, "a backup had to leave out some files");
}

async function pack(staging: string, target: string, beforeItAppears: () => Promise<void>): Promise<void> {
  const partial = `${target}${PARTIAL}`;
  try {
    await promisify(execFile)("tar", ["-czf", partial, "-C", staging, "."], {
      env: pathOnly(),
      timeout: COPY_TIMEOUT_MS,
    });
    await beforeItAppears();
    await rename(partial, target);
  } catch (error) {
    await rm(partial, { force: true });
    if (isMissing(error)) throw new AppError("conflict", "tar is not on this machine. Install it, then try again.");
    throw error;
  }
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "ENOENT";
}

function wordsOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const told = "stderr" in error ? String(error.stderr).trim().split("\n").at(-1) : "";
  return (told === "" || told === undefined ? error.message : told).slice(0, 300);
}

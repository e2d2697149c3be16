import "server-only";
import { readdir, rm, stat } from "node:fs/promises";
import path from "node:path";
import { AppError } from "@/lib/schema/app-error";
import type { BackupState } from "@/lib/schema/settings/backup";
import { logger } from "@/lib/server/platform/logger";
import type { Services } from "@/lib/server/platform/services";
import { currentSettings } from "@/lib/server/settings/settings-state";
import { backupState, makeBackup, PARTIAL } from "./make-backup";

const HOUR_MS = 3_600_000;
/** Backups of earlier versions have no milliseconds. */
const NAME = /^ringmaster-\d{4}-\d\d-\d\dT\d{6}(\.\d{3})?Z\.tar\.gz$/;

/** `ringmaster-2026-11-23T080000.125Z.tar.gz`: two created within one second do not replace each other. */
export function backupName(now: Date): string {
  return `ringmaster-${now.toISOString().replaceAll(":", "")}.tar.gz`;
}

/** The folder's backups, newest first, and the one in progress. */
export async function getBackupState(services: Services): Promise<BackupState> {
  const { folder } = currentSettings().backup;
  const { running, problem } = backupState(services);
  try {
    return { folder, running, backups: folder === null ? [] : await listBackups(folder), problem };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return { folder, running, backups: [], problem: `The folder of the backups can't be read: ${reason}` };
  }
}

async function listBackups(folder: string): Promise<BackupState["backups"]> {
  const names = await readdir(folder).catch((error: unknown) => {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return [];
    throw error;
  });
  const found = names
    .filter((name) => NAME.test(name))
    .map((name) => ({ name, at: timeOf(name).toISOString() }))
    .toSorted((left, right) => right.at.localeCompare(left.at));
  return Promise.all(
    found.map(async ({ name, at }) => ({
      name,
      at,
      sizeBytes: (await stat(path.join(folder, name))).size,
    })),
  );
}

function timeOf(name: string): Date {
  const [, day = "", hours = "", minutes = "", seconds = ""] =
    /(\d{4}-\d\d-\d\d)T(\d\d)(\d\d)(\d\d(?:\.\d{3})?)Z/.exec(name) ?? [];
  return new Date(`${day}T${hours}:${minutes}:${seconds}Z`);
}

/**
 * Creates a backup in the folder now, then removes those beyond the number kept. `record` stores its name before the
 * file appears: if that fails, there is no backup. Throws `conflict` without a folder.
 */
export async function backUpNow(
  services: Services,
  now = new Date(),
  record: (name: string) => Promise<void> = async () => undefined,
): Promise<void> {
  const { folder, keep } = currentSettings().backup;
  if (folder === null) {
    throw new AppError("conflict", "No folder is set for backups. Enter one under Admin, Settings, Backup, and save.");
  }
  const name = backupName(now);
  await makeBackup(services, path.join(folder, name), () => record(name));
  for (const old of (await listBackups(folder)).slice(keep)) await rm(path.join(folder, old.name));
  await removeLeftParts(folder, now);
}

/** Removes what a killed process had begun to pack; another process may be packing now. */
async function removeLeftParts(folder: string, now: Date): Promise<void> {
  for (const name of await readdir(folder)) {
    if (!name.endsWith(PARTIAL) || !NAME.test(name.slice(0, -PARTIAL.length))) continue;
    const file = path.join(folder, name);
    const facts = await stat(file).catch(() => null);
    if (facts && now.getTime() - facts.mtimeMs > HOUR_MS) await rm(file, { force: true });
  }
}

/** Creates a backup if the newest is too old; called periodically by one of the processes. */
export async function backUpWhenDue(services: Services, now = new Date()): Promise<void> {
  const { folder, everyHours } = currentSettings().backup;
  if (folder === null || backupState(services).running) return;
  const [newest] = await listBackups(folder);
  if (newest && now.getTime() - Date.parse(newest.at) < everyHours * HOUR_MS) return;
  await backUpNow(services, now);
  logger().info({ folder }, "made a backup");
}

/** The path of a backup in the folder. Throws `not_found`. */
export async function findBackup(name: string): Promise<string> {
  const { folder } = currentSettings().backup;
  const file = folder === null || !NAME.test(name) ? null : path.join(folder, name);
  if (file === null || !(await stat(file).catch(() => null)))
    throw new AppError("not_found", "There is no such backup.");
  return file;
}

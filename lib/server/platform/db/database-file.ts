import { existsSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { AppError } from "@/lib/schema/app-error";
import { logger } from "@/lib/server/platform/logger";
import { makeFolder } from "@/lib/server/platform/make-folder";
import { processState } from "@/lib/server/platform/process-state";
import { generatedSecret } from "@/lib/server/platform/secrets/secrets";
import type { Database } from "./database";
import { copyDatabase, selectDatabaseFile } from "./queries/sqlite-file";

/** How long a failed attempt to save the content is reused as the answer before the next attempt. */
const TRY_AGAIN_MS = 30_000;

/** Where the content of a deleted database file was saved, keyed by the file's path; null if it could not be saved. */
const rescued = processState("rescued-databases", () => new Map<string, Promise<string | null>>());

/**
 * Throws `unavailable` if the SQLite file was deleted under the running server, alone or with its folder: the open file
 * still works, but everything stored from then on would be lost with the process. The first time, saves all of it:
 * beside its old location, or otherwise beside its folder, or otherwise among the temporary files.
 */
export async function requireDatabaseFile(database: Database): Promise<void> {
  const file = await missingFile(database);
  if (file === null) return;
  const saving = rescued.get(file) ?? rescue(database, file);
  rescued.set(file, saving);
  throw new AppError("unavailable", explainDeleted(file, await saving));
}

/** Saves the current content of a deleted database, for a process that is about to end. */
export async function saveDeletedDatabase(database: Database): Promise<void> {
  const file = await missingFile(database);
  if (file === null) return;
  const copy = (await rescued.get(file)) ?? null;
  if (copy === null) return void (await rescue(database, file));
  await copyDatabase(database, `${copy}.newer`);
  renameSync(`${copy}.newer`, copy);
}

/** The path of the database's file if nothing exists there any more. */
async function missingFile(database: Database): Promise<string | null> {
  if (database.dialect.provider !== "sqlite") return null;
  const file = await selectDatabaseFile(database);
  return file === "" || existsSync(file) ? null : file;
}

function explainDeleted(file: string, copy: string | null): string {
  const isFolderGone = !existsSync(path.dirname(file));
  const what = isFolderGone
    ? "The data folder of this server was deleted while it runs"
    : "The database file of this server was deleted while it runs";
  const refused = `${what}, so nothing new is accepted.`;
  if (copy === null) {
    return `${refused} What it held could not be saved yet: leave the server running, free some space, and look into its log.`;
  }
  if (path.dirname(copy) === path.dirname(file))
    return `${refused} Stop the server and rename ${path.basename(copy)} back, or restore a backup.`;
  return `${refused} What the database held was saved elsewhere; the server's log says where. Stop the server and move that folder back, or restore a backup. Files of workspaces come only from a backup.`;
}

/** Never throws. */
async function rescue(database: Database, file: string): Promise<string | null> {
  const suffix = `rescued-${new Date().toISOString().slice(0, 19).replaceAll(":", "")}`;
  for (const copy of placesFor(file, suffix)) {
    try {
      makeFolder(path.dirname(copy), 0o700);
      await copyDatabase(database, copy);
      saveSecret(file, copy);
      logger().fatal({ file, copy }, "the database file is gone; what it held was saved, and nothing new is accepted");
      return copy;
    } catch (error) {
      if (existsSync(copy)) rmSync(copy);
      logger().error({ err: error, file, copy }, "the database file is gone, and what it holds can't be saved here");
    }
  }
  setTimeout(() => rescued.delete(file), TRY_AGAIN_MS).unref();
  return null;
}

function placesFor(file: string, suffix: string): string[] {
  const folder = path.dirname(file);
  const name = path.basename(file);
  const elsewhere = [`${folder}.${suffix}`, path.join(tmpdir(), `ringmaster-${suffix}`)];
  return [...(existsSync(folder) ? [`${file}.${suffix}`] : []), ...elsewhere.map((place) => path.join(place, name))];
}

/** Without the secret that was beside it, the database's encrypted values would be unreadable. */
function saveSecret(file: string, copy: string): void {
  const known = generatedSecret();
  if (known === null || existsSync(known.file) || path.dirname(file) === path.dirname(copy)) return;
  writeFileSync(path.join(path.dirname(copy), path.basename(known.file)), `${known.secret}\n`, { mode: 0o600 });
}

import { chmodSync, readdirSync, rmSync } from "node:fs";
import path from "node:path";
import Connection from "better-sqlite3";
import { SharedError } from "@/lib/schema/shared-error";
import { makeFolder } from "./make-folder";
import { processState } from "./process-state";

/** Another process serves this data directory; `message` is for the person who started the second one. */
export class DataDirectoryInUse extends SharedError {
  static override readonly kind = "DataDirectoryInUse";
}

/** Creates `directory` (and its parents) if absent and closes it to others (mode 0700). */
export function makeDataDirectory(directory: string): void {
  makeFolder(directory, 0o700);
  chmodSync(directory, 0o700);
}

/**
 * Makes this process the only one that serves `directory`, until it ends. kill -9 also releases the lock, because it is
 * the operating system's lock on `<directory>/lock`. Calling it again in the same process is harmless. Throws
 * `DataDirectoryInUse`.
 */
export function lockDataDirectory(directory: string): void {
  const locks = processState("data-directory-locks", () => new Map<string, Connection.Database>());
  const key = path.resolve(directory);
  if (!locks.has(key)) locks.set(key, takeLock(key));
}

/** Begins the names of folders in the data directory that exist only while something is being made. */
export const STAGING_PREFIX = ".backup-";

/** Removes what a killed process was making. Only for whoever holds the directory's lock. */
export function removeLeftStaging(directory: string): void {
  for (const name of readdirSync(directory)) {
    if (name.startsWith(STAGING_PREFIX)) rmSync(path.join(directory, name), { recursive: true, force: true });
  }
}

/** Releases a lock that this process holds. */
export function unlockDataDirectory(directory: string): void {
  const locks = processState("data-directory-locks", () => new Map<string, Connection.Database>());
  const key = path.resolve(directory);
  locks.get(key)?.close();
  locks.delete(key);
}

// Node has no flock; an SQLite file with an open exclusive transaction does the same and is portable.
function takeLock(directory: string): Connection.Database {
  makeDataDirectory(directory);
  const connection = new Connection(path.join(directory, "lock"), { timeout: 0 });
  try {
    connection.exec("BEGIN EXCLUSIVE");
    return connection;
  } catch (error) {
    connection.close();
    if (!(error instanceof Connection.SqliteError && error.code.startsWith("SQLITE_BUSY"))) throw error;
    throw new DataDirectoryInUse(
      `Ringmaster is already running on ${directory}. Stop it first, or set RINGMASTER_DATA_DIR to another folder.`,
    );
  }
}

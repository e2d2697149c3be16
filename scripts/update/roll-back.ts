// Puts back the database of before the last update. The server must be stopped.
import { copyFileSync, existsSync, linkSync, renameSync, rmSync } from "node:fs";
import path from "node:path";
import Connection from "better-sqlite3";
import { lockDataDirectory, unlockDataDirectory } from "@/lib/server/platform/data-directory";
import { makeFolder } from "@/lib/server/platform/make-folder";
import type { Installation } from "../backup/backup";
import { refuseHalfRestore } from "../backup/restore-mark";
import { Refused } from "../refused";
import { isWhole, listUpdateBackups } from "./update-backup";

interface RolledBack {
  /** Where the database of after the update is now. */
  readonly aside: string;
  readonly backup: string;
  /** The version to start, if it is known. */
  readonly version: string | null;
}

const JOURNAL = ["-wal", "-shm"];

/** Throws Refused, or DataDirectoryInUse while a server is running. */
export async function rollBack({ dataDirectory, databaseUrl }: Installation, now = new Date()): Promise<RolledBack> {
  refuseHalfRestore(dataDirectory);
  const [last] = listUpdateBackups(dataDirectory);
  if (last === undefined) throw new Refused(`There is no backup of before an update in ${dataDirectory}.`);
  const copy = path.join(last.folder, last.manifest.file);
  if (!databaseUrl.startsWith("file:")) {
    const { from } = last.manifest;
    throw new Refused(
      `The database is Postgres: create an empty one, put the backup into it with pg_restore (${copy}), name it in DATABASE_URL, and start ${from === null ? "the version of before the update" : `version ${from}`}.`,
    );
  }
  if (!(await isWhole(last))) throw new Refused(`${copy} is not what was backed up. Restore another backup.`);
  const file = databaseUrl.slice("file:".length);
  lockDataDirectory(dataDirectory);
  try {
    const aside = path.join(dataDirectory, `before-rollback-${now.toISOString().slice(0, 19).replaceAll(":", "")}`);
    makeFolder(aside, 0o700);
    // Beside it first: a full disk must not leave an installation without a database.
    copyFileSync(copy, `${file}.rollback`);
    emptyJournal(file);
    for (const end of ["", ...JOURNAL]) keep(`${file}${end}`, path.join(aside, `${path.basename(file)}${end}`));
    // The other database's journal does not belong to the one that comes.
    for (const end of JOURNAL) rmSync(`${file}${end}`, { force: true });
    // In place of the other one at once: killed anywhere, a start finds one of the two, and never makes an empty one.
    renameSync(`${file}.rollback`, file);
    return { aside, backup: last.folder, version: last.manifest.from };
  } finally {
    unlockDataDirectory(dataDirectory);
  }
}

/** Brings everything into the file itself. A damaged database keeps its journal. */
function emptyJournal(file: string): void {
  if (!existsSync(file)) return;
  try {
    const connection = new Connection(file, { timeout: 5_000 });
    try {
      connection.pragma("wal_checkpoint(TRUNCATE)");
    } finally {
      connection.close();
    }
  } catch {
    // Both are kept as they are.
  }
}

/** Gives a file a second name, or a copy where the file system has no links. */
function keep(file: string, at: string): void {
  if (!existsSync(file)) return;
  rmSync(at, { force: true });
  try {
    linkSync(file, at);
  } catch {
    copyFileSync(file, at);
  }
}

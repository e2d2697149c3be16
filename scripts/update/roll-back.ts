// Puts back the database of before the last update. The server must be stopped.
import { constants, copyFileSync, existsSync, linkSync, renameSync, rmSync } from "node:fs";
import path from "node:path";
import Connection from "better-sqlite3";
import { lockDataDirectory, unlockDataDirectory } from "@/lib/server/platform/data-directory";
import { isBusy } from "@/lib/server/platform/db/errors";
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
    const aside = path.join(dataDirectory, `before-rollback-${now.toISOString().replaceAll(/[:.]/g, "")}`);
    if (existsSync(aside)) throw new Refused(`${aside} already exists. Nothing is written into it: roll back again.`);
    const coming = `${file}.rollback`;
    emptyJournal(file);
    try {
      copyFileSync(copy, coming);
      // Copying takes a while, in which another program may have begun to use it.
      emptyJournal(file);
      makeFolder(aside, 0o700);
      for (const end of ["", ...JOURNAL]) keep(`${file}${end}`, path.join(aside, `${path.basename(file)}${end}`));
    } catch (error) {
      // A full disk or a refusal leaves nothing of it: everything that it has kept is also in its place still.
      for (const begun of [coming, aside]) rmSync(begun, { recursive: true, force: true });
      throw error;
    }
    // The other database's journal does not belong to the one that comes.
    for (const end of JOURNAL) rmSync(`${file}${end}`, { force: true });
    // In place of the other one at once: killed anywhere, a start finds one of the two, and never makes an empty one.
    renameSync(coming, file);
    return { aside, backup: last.folder, version: last.manifest.from };
  } finally {
    unlockDataDirectory(dataDirectory);
  }
}

/** Brings everything into the file itself. A damaged database keeps its journal. Throws Refused if it is in use. */
function emptyJournal(file: string): void {
  if (existsSync(file) && isInUse(file))
    throw new Refused(`another program is using ${file}. Stop it, then roll back again.`);
}

function isInUse(file: string): boolean {
  try {
    const connection = new Connection(file, { timeout: 5_000 });
    try {
      return connection.pragma("wal_checkpoint(TRUNCATE)", { simple: true }) === 1;
    } finally {
      connection.close();
    }
  } catch (error) {
    // Otherwise damaged: it and its journal are kept as they are.
    return isBusy(error);
  }
}

/** Gives a file a second name, or a copy where the file system has no links. */
function keep(file: string, at: string): void {
  if (!existsSync(file)) return;
  try {
    linkSync(file, at);
  } catch {
    copyFileSync(file, at, constants.COPYFILE_EXCL);
  }
}

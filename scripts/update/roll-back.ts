// Puts back the database of before the last update. The server must be stopped.
import { copyFileSync, existsSync, renameSync } from "node:fs";
import path from "node:path";
import { lockDataDirectory, unlockDataDirectory } from "@/lib/server/platform/data-directory";
import { makeFolder } from "@/lib/server/platform/make-folder";
import { type Installation, Refused } from "../backup/backup";
import { isWhole, listUpdateBackups } from "./update-backup";

interface RolledBack {
  /** Where the database of after the update is now. */
  readonly aside: string;
  readonly backup: string;
  /** The version to start, if it is known. */
  readonly version: string | null;
}

const WITH_ITS_JOURNAL = ["", "-wal", "-shm"];

/** Throws Refused, or DataDirectoryInUse while a server is running. */
export async function rollBack({ dataDirectory, databaseUrl }: Installation, now = new Date()): Promise<RolledBack> {
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
    for (const end of WITH_ITS_JOURNAL) {
      if (existsSync(`${file}${end}`)) renameSync(`${file}${end}`, path.join(aside, `${path.basename(file)}${end}`));
    }
    renameSync(`${file}.rollback`, file);
    return { aside, backup: last.folder, version: last.manifest.from };
  } finally {
    unlockDataDirectory(dataDirectory);
  }
}

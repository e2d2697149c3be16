import { existsSync, statSync } from "node:fs";
import Connection from "better-sqlite3";
import { lockDataDirectory, unlockDataDirectory } from "@/lib/server/platform/data-directory";
import type { Environment } from "@/lib/server/platform/env";

interface Sizes {
  readonly beforeBytes: number;
  readonly afterBytes: number;
}

/**
 * Rewrites the SQLite file without its free pages, and so that the server returns them automatically from then on. Null
 * if there is no file. Throws DataDirectoryInUse while a server is running, and what SQLite throws; the file is then
 * unchanged.
 */
export function compactDatabase({
  dataDirectory,
  databaseUrl,
}: Pick<Environment, "dataDirectory" | "databaseUrl">): Sizes | null {
  const file = databaseUrl.startsWith("file:") ? databaseUrl.slice("file:".length) : null;
  if (file === null || !existsSync(file)) return null;
  lockDataDirectory(dataDirectory);
  const connection = new Connection(file, { timeout: 5_000 });
  try {
    const beforeBytes = statSync(file).size;
    connection.pragma("auto_vacuum = INCREMENTAL");
    connection.exec("vacuum");
    connection.pragma("wal_checkpoint(truncate)");
    return { beforeBytes, afterBytes: statSync(file).size };
  } finally {
    connection.close();
    unlockDataDirectory(dataDirectory);
  }
}

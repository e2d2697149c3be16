import { existsSync } from "node:fs";
import { AppError } from "@/lib/schema/app-error";
import { logger } from "@/lib/server/platform/logger";
import { processState } from "@/lib/server/platform/process-state";
import type { Database } from "./database";
import { copyDatabase, selectDatabaseFile } from "./queries/sqlite-file";

/** Where the content of a deleted database file was saved, by the file's path. */
const rescued = processState("rescued-databases", () => new Map<string, Promise<string>>());

/**
 * Throws `unavailable` when the SQLite file was deleted under the running server: the open file still works, but
 * everything stored from then on would be lost with the process. The first time, all of it is saved beside its old
 * location.
 */
export async function requireDatabaseFile(database: Database): Promise<void> {
  if (database.dialect.provider !== "sqlite") return;
  const file = await selectDatabaseFile(database);
  if (file === "" || existsSync(file)) return;
  const saving = rescued.get(file) ?? rescue(database, file);
  rescued.set(file, saving);
  const copy = await saving;
  const message =
    "The database file was deleted while the server was running, so nothing new is accepted. " +
    `Stop the server and rename ${copy} back, or restore a backup.`;
  throw new AppError("unavailable", message);
}

async function rescue(database: Database, file: string): Promise<string> {
  const copy = `${file}.rescued-${new Date().toISOString().slice(0, 19).replaceAll(":", "")}`;
  await copyDatabase(database, copy);
  logger().fatal({ file, copy }, "the database file is gone; what it held was saved, and nothing new is accepted");
  return copy.slice(copy.lastIndexOf("/") + 1);
}

// npm run restore -- <folder>: puts a backup in the place of the data directory's content. The server must be stopped.
import { copyFileSync, existsSync, mkdirSync, readdirSync, renameSync } from "node:fs";
import path from "node:path";
import "./register-typescript.mjs";
import Connection from "better-sqlite3";
import { Refused } from "./backup.mjs";
import { copyTree } from "./copy-tree.mjs";
import { explainCommand } from "./explain-start.mjs";

const LOCK = /^lock(-journal|-wal|-shm)?$/;

/**
 * Restores `folder` (made by `npm run backup`). What the data directory held before is moved to a folder
 * `before-restore-…` in it, whose path is returned; null when it was empty. Throws DataDirectoryInUse under a server.
 */
export async function restore({ dataDirectory, databaseUrl }, folder, now = new Date()) {
  const backup = path.join(folder, "ringmaster.db");
  if (databaseUrl.startsWith("file:")) checkDatabase(backup);
  const { lockDataDirectory, unlockDataDirectory } = await import("../lib/server/data-directory.ts");
  lockDataDirectory(dataDirectory);
  try {
    const aside = moveAside(dataDirectory, databaseUrl, now);
    for (const name of readdirSync(folder).filter((entry) => entry !== "ringmaster.db"))
      await copyTree(path.join(folder, name), path.join(dataDirectory, name));
    if (databaseUrl.startsWith("file:")) copyFileSync(backup, databaseUrl.slice("file:".length));
    return aside;
  } finally {
    unlockDataDirectory(dataDirectory);
  }
}

function checkDatabase(file) {
  if (!existsSync(file)) throw new Refused(`There is no backup at ${path.dirname(file)}: it has no ringmaster.db.`);
  const connection = new Connection(file, { readonly: true });
  try {
    const [result] = connection.pragma("quick_check", { simple: false });
    if (result?.quick_check !== "ok") throw new Refused(`The database of this backup is damaged: ${file}`);
  } finally {
    connection.close();
  }
}

function moveAside(dataDirectory, databaseUrl, now) {
  const database = databaseUrl.startsWith("file:") ? databaseUrl.slice("file:".length) : null;
  const own = readdirSync(dataDirectory)
    .filter((name) => !LOCK.test(name) && !name.startsWith("before-restore-"))
    .map((name) => path.join(dataDirectory, name));
  const ofDatabase =
    database === null ? [] : ["", "-wal", "-shm"].map((suffix) => database + suffix).filter(existsSync);
  const moved = [...new Set([...own, ...ofDatabase])];
  if (moved.length === 0) return null;
  const aside = path.join(dataDirectory, `before-restore-${now.toISOString().slice(0, 19).replaceAll(":", "")}`);
  mkdirSync(aside, { mode: 0o700 });
  for (const file of moved) renameSync(file, path.join(aside, path.basename(file)));
  return aside;
}

async function main([source]) {
  try {
    if (source === undefined) throw new Refused("Usage: npm run restore -- <folder of a backup>");
    const { commandEnvironment } = await import("./command-environment.mjs");
    const environment = await commandEnvironment();
    const aside = await restore(environment, path.resolve(process.env.INIT_CWD ?? ".", source));
    process.stdout.write(`Restored into ${environment.dataDirectory}. Start the server with npm start.\n`);
    if (aside !== null) process.stdout.write(`What was there before is in ${aside}\n`);
    if (!environment.databaseUrl.startsWith("file:"))
      process.stdout.write("The database is Postgres: restore that with pg_restore or psql.\n");
  } catch (error) {
    process.stderr.write(`${explainCommand(error, "Nothing was restored")}\n`);
    process.exitCode = 1;
  }
}

if (import.meta.main) await main(process.argv.slice(2));

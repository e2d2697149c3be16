// npm run restore -- <folder>: puts a backup in the place of the data directory's content. The server must be stopped.
import { copyFileSync, existsSync, mkdirSync, readdirSync, renameSync, rmdirSync, rmSync } from "node:fs";
import path from "node:path";
import "./register-typescript.mjs";
import Connection from "better-sqlite3";
import { Refused } from "./backup.mjs";
import { copyTree } from "./copy-tree.mjs";
import { explainCommand } from "./explain-start.mjs";
import { isInside } from "./is-inside.mjs";
import { isMain } from "./is-main.mjs";

const DATABASE = "ringmaster.db";
const LOCK = /^lock(-journal|-wal|-shm)?$/;

/**
 * Restores `folder` (made by `npm run backup`). What the data directory held before is moved to a folder
 * `before-restore-…` in it, whose path is returned; null when it was empty. A restore that breaks off puts it back.
 * Throws DataDirectoryInUse under a server.
 */
export async function restore({ dataDirectory, databaseUrl }, folder, now = new Date()) {
  const database = databaseUrl.startsWith("file:") ? databaseUrl.slice("file:".length) : null;
  checkPlace(folder, dataDirectory);
  if (database !== null) checkDatabase(path.join(folder, DATABASE));
  const { lockDataDirectory, unlockDataDirectory } = await import("../lib/server/data-directory.ts");
  lockDataDirectory(dataDirectory);
  const moved = [];
  const copied = [];
  try {
    const aside = moveAside(whatIsThere(dataDirectory, database, folder), dataDirectory, now, moved);
    for (const name of readdirSync(folder).filter((entry) => entry !== DATABASE)) {
      copied.push(path.join(dataDirectory, name));
      await copyTree(path.join(folder, name), path.join(dataDirectory, name));
    }
    if (database !== null) {
      copied.push(database);
      copyFileSync(path.join(folder, DATABASE), database);
    }
    return aside;
  } catch (error) {
    putBack(moved, copied);
    throw error;
  } finally {
    unlockDataDirectory(dataDirectory);
  }
}

/** A backup may lie in a folder of its own in the data directory, but not where restoring would write. */
function checkPlace(folder, dataDirectory) {
  if (isInside(dataDirectory, folder) || isInside(folder, path.join(dataDirectory, "workspaces")))
    throw new Refused(`${folder} is where the installation itself lies. Move the backup elsewhere first.`);
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

/** What restoring takes the place of: all but the lock, what earlier restores have moved aside, and the backup itself. */
function whatIsThere(dataDirectory, database, folder) {
  const own = readdirSync(dataDirectory)
    .filter((name) => !LOCK.test(name) && !name.startsWith("before-restore-"))
    .map((name) => path.join(dataDirectory, name))
    .filter((place) => !isInside(folder, place));
  const ofDatabase =
    database === null ? [] : ["", "-wal", "-shm"].map((suffix) => database + suffix).filter(existsSync);
  return [...new Set([...own, ...ofDatabase])];
}

/** Notes in `moved` from where to where each went. */
function moveAside(places, dataDirectory, now, moved) {
  if (places.length === 0) return null;
  const aside = path.join(dataDirectory, `before-restore-${now.toISOString().slice(0, 19).replaceAll(":", "")}`);
  mkdirSync(aside, { mode: 0o700 });
  for (const from of places) {
    const to = path.join(aside, path.basename(from));
    renameSync(from, to);
    moved.push([from, to]);
  }
  return aside;
}

function putBack(moved, copied) {
  for (const place of copied) rmSync(place, { recursive: true, force: true });
  for (const [from, to] of moved) renameSync(to, from);
  if (moved.length > 0) rmdirSync(path.dirname(moved[0][1]));
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

if (isMain(import.meta.url)) await main(process.argv.slice(2));

// npm run restore -- <folder>: puts a backup in the place of the data directory's content. The server must be stopped.
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync } from "node:fs";
import { rmdir } from "node:fs/promises";
import path from "node:path";
import Connection from "better-sqlite3";
import { z } from "zod";
import { lockDataDirectory, unlockDataDirectory } from "@/lib/server/platform/data-directory";
import { commandEnvironment } from "../command-environment";
import { isMain } from "../is-main";
import { explainCommand } from "../start/explain-failure";
import { type Installation, isInside, Refused } from "./backup";
import { copyTree } from "./copy-tree";

const DATABASE = "ringmaster.db";
const LOCK = /^lock(-journal|-wal|-shm)?$/;
const QuickCheck = z.tuple([z.object({ quick_check: z.literal("ok") })]);

/** What restoring takes the place of, with its name in the folder that it is moved to. */
interface Present {
  readonly place: string;
  readonly name: string;
}

/** What a backup holds, with its place in the installation. */
interface Coming {
  readonly from: string;
  readonly place: string;
}

/**
 * Restores `folder` (made by `npm run backup`). What the data directory held before is moved to a folder
 * `before-restore-…` in it, whose path is returned; null when it was empty. A restore that breaks off puts it back.
 * Throws DataDirectoryInUse under a server.
 */
export async function restore(
  { dataDirectory, databaseUrl }: Installation,
  folder: string,
  now = new Date(),
): Promise<string | null> {
  const database = databaseUrl.startsWith("file:") ? databaseUrl.slice("file:".length) : null;
  checkPlace(folder, dataDirectory);
  if (database !== null) checkDatabase(path.join(folder, DATABASE));
  lockDataDirectory(dataDirectory);
  try {
    const there = whatIsThere(dataDirectory, database, folder);
    const aside = path.join(dataDirectory, `before-restore-${now.toISOString().slice(0, 19).replaceAll(":", "")}`);
    if (there.length > 0) mkdirSync(aside, { mode: 0o700 });
    await exchange(there, aside, whatComes(dataDirectory, database, folder));
    return there.length > 0 ? aside : null;
  } finally {
    unlockDataDirectory(dataDirectory);
  }
}

/** A backup may lie in a folder of its own in the data directory, but not where restoring would write. */
function checkPlace(folder: string, dataDirectory: string): void {
  if (isInside(dataDirectory, folder) || isInside(folder, path.join(dataDirectory, "workspaces")))
    throw new Refused(`${folder} is where the installation itself lies. Move the backup elsewhere first.`);
}

function checkDatabase(file: string): void {
  if (!existsSync(file)) throw new Refused(`There is no backup at ${path.dirname(file)}: it has no ringmaster.db.`);
  const connection = new Connection(file, { readonly: true });
  try {
    const { success } = QuickCheck.safeParse(connection.pragma("quick_check"));
    if (!success) throw new Refused(`The database of this backup is damaged: ${file}`);
  } finally {
    connection.close();
  }
}

/**
 * All but the lock, what earlier restores have moved aside, and the backup itself. A database that is elsewhere has a
 * folder of its own there, for the data directory may hold an older one of the same name.
 */
function whatIsThere(dataDirectory: string, database: string | null, folder: string): Present[] {
  const own = readdirSync(dataDirectory)
    .filter((name) => !LOCK.test(name) && !name.startsWith("before-restore-"))
    .map((name) => ({ place: path.join(dataDirectory, name), name }))
    .filter(({ place }) => !isInside(folder, place));
  const ofDatabase = database === null ? [] : ["", "-wal", "-shm"].map((suffix) => database + suffix);
  const elsewhere = ofDatabase
    .filter((place) => existsSync(place) && !isInside(place, dataDirectory))
    .map((place) => ({ place, name: path.join("database", path.basename(place)) }));
  return [...own, ...elsewhere];
}

function whatComes(dataDirectory: string, database: string | null, folder: string): Coming[] {
  const names = readdirSync(folder).filter((name) => name !== DATABASE);
  const files = names.map((name) => ({ from: path.join(folder, name), place: path.join(dataDirectory, name) }));
  return database === null ? files : [...files, { from: path.join(folder, DATABASE), place: database }];
}

/** Moves what is there to `aside` and copies what comes to its places; all is as it was when that breaks off. */
async function exchange(there: readonly Present[], aside: string, coming: readonly Coming[]): Promise<void> {
  const moved: Present[] = [];
  const begun: string[] = [];
  try {
    for (const entry of there) {
      mkdirSync(path.dirname(path.join(aside, entry.name)), { recursive: true, mode: 0o700 });
      await move(entry.place, path.join(aside, entry.name));
      moved.push(entry);
    }
    for (const { from, place } of coming) {
      begun.push(place);
      mkdirSync(path.dirname(place), { recursive: true, mode: 0o700 });
      await copyTree(from, place);
    }
  } catch (error) {
    for (const place of begun) rmSync(place, { recursive: true, force: true });
    for (const { place, name } of moved) await move(path.join(aside, name), place);
    // Only where nothing is left in it.
    for (const empty of [path.join(aside, "database"), aside]) await rmdir(empty).catch(() => undefined);
    throw error;
  }
}

/** Also from one file system to another, where the database may lie. */
async function move(from: string, to: string): Promise<void> {
  try {
    renameSync(from, to);
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "EXDEV")) throw error;
    await copyTree(from, to);
    rmSync(from, { recursive: true });
  }
}

async function main(source: string | undefined): Promise<void> {
  try {
    if (source === undefined) throw new Refused("Usage: npm run restore -- <folder of a backup>");
    const environment = commandEnvironment();
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

if (isMain(import.meta.url)) await main(process.argv[2]);

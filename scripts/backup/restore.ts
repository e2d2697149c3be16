// Replaces the data directory's content with a backup. The server must be stopped.
import {
  closeSync,
  existsSync,
  lstatSync,
  openSync,
  readdirSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
} from "node:fs";
import { rmdir } from "node:fs/promises";
import path from "node:path";
import Connection from "better-sqlite3";
import { z } from "zod";
import { copyTree } from "@/lib/server/files/copy-tree";
import { lockDataDirectory, unlockDataDirectory } from "@/lib/server/platform/data-directory";
import { makeFolder } from "@/lib/server/platform/make-folder";
import { Refused } from "../refused";
import { type Installation, isInside, KEPT_FILES, KEPT_FOLDERS } from "./backup";
import { beginRestore, endRestore, isHalfRestored, MARK } from "./restore-mark";

const DATABASE = "ringmaster.db";
const LOCK = /^lock(-journal|-wal|-shm)?$/;
const QuickCheck = z.tuple([z.object({ quick_check: z.literal("ok") })]);

/** Existing content that restoring replaces, with its name in the folder it is moved to. */
interface Present {
  readonly place: string;
  readonly name: string;
}

/** A part of a backup, with its place in the installation. */
interface Coming {
  readonly from: string;
  readonly place: string;
}

/**
 * Restores `folder` (written by `backUp`). The data directory's previous content is moved to a folder
 * `before-restore-…` in it, whose path is returned; null if it was empty. A restore that fails half-way puts it back. If
 * one is interrupted, nothing starts there until it is repeated. Throws DataDirectoryInUse while a server is running.
 */
export async function restore(
  { dataDirectory, databaseUrl }: Installation,
  folder: string,
  now = new Date(),
): Promise<string | null> {
  const database = databaseUrl.startsWith("file:") ? databaseUrl.slice("file:".length) : null;
  checkPlace(folder, dataDirectory);
  refuseLinks(folder);
  if (database !== null) checkDatabase(path.join(folder, DATABASE));
  lockDataDirectory(dataDirectory);
  try {
    const there = presentEntries(dataDirectory, database, folder);
    const aside = path.join(dataDirectory, `before-restore-${now.toISOString().replaceAll(/[:.]/g, "")}`);
    if (existsSync(aside)) throw new Refused(`${aside} already exists. Nothing is moved over it: restore again.`);
    const coming = restoredEntries(dataDirectory, database, folder);
    await exchangeMarked(dataDirectory, folder, { there, aside, coming });
    return there.length > 0 ? aside : null;
  } finally {
    unlockDataDirectory(dataDirectory);
  }
}

/** Nothing starts there until the exchange is whole, or put back. */
async function exchangeMarked(dataDirectory: string, backup: string, planned: Exchange): Promise<void> {
  const wasHalf = isHalfRestored(dataDirectory);
  const done: Exchanged = { moved: [], begun: [] };
  beginRestore(dataDirectory, backup);
  try {
    await exchange(planned, done);
  } catch (error) {
    await putBack(planned, done);
    // After an earlier restore that was interrupted, what is back is still half of an installation.
    if (!wasHalf) endRestore(dataDirectory);
    throw error;
  }
  endRestore(dataDirectory);
}

/** A backup may be in its own folder in the data directory, but not where restoring would write. */
function checkPlace(folder: string, dataDirectory: string): void {
  if (isInside(dataDirectory, folder) || isInside(folder, path.join(dataDirectory, "workspaces")))
    throw new Refused(`${folder} is inside the installation's own data. Move the backup elsewhere first.`);
}

/** A backup has no links in these places: the server would work wherever such a link leads. */
function refuseLinks(folder: string): void {
  if (!existsSync(folder)) return;
  const workspaces = path.join(folder, "workspaces");
  const isFolder = lstatSync(workspaces, { throwIfNoEntry: false })?.isDirectory() ?? false;
  const inside = isFolder ? readdirSync(workspaces).map((name) => path.join("workspaces", name)) : [];
  for (const name of [DATABASE, ...KEPT_FILES, ...KEPT_FOLDERS, ...inside]) {
    if (!lstatSync(path.join(folder, name), { throwIfNoEntry: false })?.isSymbolicLink()) continue;
    throw new Refused(`${path.join(folder, name)} is a link. Put the real file or folder there, then restore again.`);
  }
}

function checkDatabase(file: string): void {
  const found = statSync(file, { throwIfNoEntry: false });
  if (!found) throw new Refused(`There is no backup at ${path.dirname(file)}: it has no ringmaster.db.`);
  if (found.size === 0) throw new Refused(`The database of this backup is empty: ${file}. Use another backup.`);
  if (found.size < wholeBytes(file)) {
    throw new Refused(`The database of this backup is cut: ${file} lacks its end. Copy it again, or use another one.`);
  }
  const connection = new Connection(file, { readonly: true });
  try {
    const { success } = QuickCheck.safeParse(connection.pragma("quick_check"));
    if (!success) throw new Refused(`The database of this backup is damaged: ${file}`);
    const tables = connection.prepare("select name from sqlite_master where type = 'table'").pluck().all();
    if (OUR_TABLES.some((name) => !tables.includes(name))) {
      throw new Refused(`This is not a database of Ringmaster: ${file}. Name the folder that the backup command made.`);
    }
  } finally {
    connection.close();
  }
}

/** In every version so far. */
const OUR_TABLES = ["_prisma_migrations", "user", "agent", "thread", "run"];

/** The file size according to its header: SQLite may take a file that lacks pages for a smaller database. */
function wholeBytes(file: string): number {
  const header = Buffer.alloc(100);
  const descriptor = openSync(file, "r");
  try {
    readSync(descriptor, header, 0, header.length, 0);
  } finally {
    closeSync(descriptor);
  }
  if (header.toString("latin1", 0, 15) !== "SQLite format 3") return 0;
  // 65,536 does not fit and is written as 1.
  const pageBytes = header.readUInt16BE(16) === 1 ? 65_536 : header.readUInt16BE(16);
  return pageBytes * header.readUInt32BE(28);
}

/**
 * Everything except the lock, what earlier restores have moved aside, and the backup itself. A database elsewhere gets
 * its own folder there, because the data directory may contain an older one with the same name.
 */
function presentEntries(dataDirectory: string, database: string | null, folder: string): Present[] {
  const own = readdirSync(dataDirectory)
    .filter((name) => !LOCK.test(name) && !name.startsWith(MARK) && !name.startsWith("before-restore-"))
    .map((name) => ({ place: path.join(dataDirectory, name), name }))
    .filter(({ place }) => !isInside(folder, place));
  const ofDatabase = database === null ? [] : ["", "-wal", "-shm"].map((suffix) => database + suffix);
  const ofItsOwn = own.some(({ name }) => name === "database") ? "database-elsewhere" : "database";
  const elsewhere = ofDatabase
    .filter((place) => existsSync(place) && !isInside(place, dataDirectory))
    .map((place) => ({ place, name: path.join(ofItsOwn, path.basename(place)) }));
  return [...own, ...elsewhere];
}

function restoredEntries(dataDirectory: string, database: string | null, folder: string): Coming[] {
  const names = [...KEPT_FILES, ...KEPT_FOLDERS].filter((name) => existsSync(path.join(folder, name)));
  const files = names.map((name) => ({ from: path.join(folder, name), place: path.join(dataDirectory, name) }));
  return database === null ? files : [...files, { from: path.join(folder, DATABASE), place: database }];
}

/** What an exchange has done so far. */
interface Exchanged {
  readonly moved: Present[];
  readonly begun: string[];
}

interface Exchange {
  readonly there: readonly Present[];
  readonly aside: string;
  readonly coming: readonly Coming[];
}

/** Moves the existing content to `aside` and copies the new content into place; records each step in `done` before it. */
async function exchange({ there, aside, coming }: Exchange, done: Exchanged): Promise<void> {
  for (const entry of there) {
    makeFolder(path.dirname(path.join(aside, entry.name)), 0o700);
    await move(entry.place, path.join(aside, entry.name));
    done.moved.push(entry);
  }
  for (const { from, place } of coming) {
    done.begun.push(place);
    makeFolder(path.dirname(place), 0o700);
    await copyWhole(from, place);
  }
}

/** Restores the state of before an exchange that failed. */
async function putBack({ there, aside }: Exchange, { moved, begun }: Exchanged): Promise<void> {
  for (const place of begun) rmSync(place, { recursive: true, force: true });
  for (const { place, name } of moved) await move(path.join(aside, name), place);
  // Only if nothing is left in it; that of a database elsewhere first.
  const folders = new Set([aside, ...there.map(({ name }) => path.dirname(path.join(aside, name)))]);
  for (const empty of [...folders].toReversed()) await rmdir(empty).catch(() => undefined);
}

/** Also works across file systems, where the database may be. */
async function move(from: string, to: string): Promise<void> {
  try {
    renameSync(from, to);
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "EXDEV")) throw error;
    await copyWhole(from, to);
    rmSync(from, { recursive: true });
  }
}

async function copyWhole(from: string, to: string): Promise<void> {
  const [leftOut] = await copyTree(from, to);
  if (leftOut !== undefined) throw new Refused(`Part of ${from} can't be copied: ${leftOut}.`);
}

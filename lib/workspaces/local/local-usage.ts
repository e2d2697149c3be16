import { constants, type Dirent, promises as fs } from "node:fs";
import { atBytes, errorCode, self } from "./local-descriptors";
import { openChildFolder } from "./local-files";
import { type FileHandle, FOLDER_FLAGS, type LocalRoot } from "./local-root";

/** The cost of an entry in addition to its blocks, so that millions of empty files also exceed the quota. */
export const ENTRY_BYTES = 1_024;
/** Up to this many levels each hold a descriptor while measured; below them, the way back up is `..`. */
const MAX_OPEN_LEVELS = 100;
const BATCH = 64;

/** Where counting stops. */
export interface UsageBounds {
  /** Counting stops above this. */
  readonly bytes: number;
  readonly entries: number;
}

interface Tally {
  bytes: number;
  entries: number;
}

/**
 * Bytes on disk, counting every file and folder, including skipped ones, at any depth. Null if there are more entries
 * than `bounds` allows.
 */
export async function measureUsage(root: LocalRoot, bounds: UsageBounds): Promise<number | null> {
  await using folder = await root.open();
  const tally = { bytes: 0, entries: 0 };
  await measureFolder(folder, 1, tally, bounds);
  return tally.entries > bounds.entries && tally.bytes <= bounds.bytes ? null : tally.bytes;
}

async function measureFolder(folder: FileHandle, depth: number, tally: Tally, bounds: UsageBounds): Promise<void> {
  if (depth > MAX_OPEN_LEVELS) return measureDeep(folder, tally, bounds);
  for (const name of await measureEntries(folder, tally, bounds)) {
    if (isDone(tally, bounds)) return;
    const child = await openMeasured(folder, name);
    if (child === null) continue;
    await using _ = child;
    await measureFolder(child, depth + 1, tally, bounds);
  }
}

/** A folder on the way down: its identity, and the child folders left to visit. */
interface Level {
  readonly identity: string;
  readonly left: Buffer[];
}

/**
 * Measures everything below `top` with two descriptors at any depth. The way back up is each folder's `..`, but only if
 * it is still the folder that the walk came from: a command may move a folder in the meantime, even out of the measured
 * one. The rest is then counted by the next measurement.
 */
async function measureDeep(top: FileHandle, tally: Tally, bounds: UsageBounds): Promise<void> {
  let current = await fs.open(self(top), constants.O_RDONLY | constants.O_DIRECTORY);
  try {
    const levels = [await openLevel(current, tally, bounds)];
    while (levels.length > 0 && !isDone(tally, bounds)) {
      const name = levels.at(-1)?.left.pop();
      const child = name === undefined ? null : await openMeasured(current, name);
      if (name !== undefined && child === null) continue;
      if (name === undefined) levels.pop();
      const next = child ?? (await openParentOf(current, levels.at(-1)?.identity));
      if (next === null) return;
      await current.close();
      current = next;
      if (child !== null) levels.push(await openLevel(child, tally, bounds));
    }
  } finally {
    await current.close();
  }
}

async function openLevel(folder: FileHandle, tally: Tally, bounds: UsageBounds): Promise<Level> {
  return { identity: await identityOf(folder), left: await measureEntries(folder, tally, bounds) };
}

/** Null at the top, and if the parent is no longer the folder with that identity. */
async function openParentOf(folder: FileHandle, identity: string | undefined): Promise<FileHandle | null> {
  if (identity === undefined) return null;
  const parent = await openChildFolder(`${self(folder)}/..`);
  if (parent === null || (await identityOf(parent)) === identity) return parent;
  await parent.close();
  return null;
}

async function identityOf(folder: FileHandle): Promise<string> {
  const { dev, ino } = await folder.stat({ bigint: true });
  return `${dev}:${ino}`;
}

function isDone(tally: Tally, bounds: UsageBounds): boolean {
  return tally.bytes > bounds.bytes || tally.entries > bounds.entries;
}

/** Counts the folder's direct entries and returns its child folders. */
async function measureEntries(folder: FileHandle, tally: Tally, bounds: UsageBounds): Promise<Buffer[]> {
  const entries = await readRawNames(folder, Math.min(bounds.entries, Math.ceil(bounds.bytes / ENTRY_BYTES)) + 1);
  tally.entries += entries.length;
  tally.bytes += ENTRY_BYTES * entries.length;
  const files = entries.filter((entry) => !entry.isDirectory());
  for (let index = 0; index < files.length && !isDone(tally, bounds); index += BATCH) {
    const sizes = await Promise.all(
      files.slice(index, index + BATCH).map(({ name }) => bytesOnDisk(atBytes(folder, name))),
    );
    tally.bytes += sizes.reduce((sum, size) => sum + size, 0);
  }
  return entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
}

async function openMeasured(parent: FileHandle, name: Buffer): Promise<FileHandle | null> {
  const path = atBytes(parent, name);
  return (await openChildFolder(path)) ?? (await openClosedFolder(path));
}

/** Opens an entry without read permission and without following a link. */
const NAME_FLAGS = FOLDER_FLAGS | 0o10000000;

/**
 * Opens a folder that a command made unreadable, perhaps to hide its content, by restoring its permissions if the
 * server's user owns it. Null if there is no such folder.
 */
async function openClosedFolder(path: Buffer): Promise<FileHandle | null> {
  try {
    await using found = await fs.open(path, NAME_FLAGS);
    await fs.chmod(self(found), 0o700);
    return await fs.open(self(found), constants.O_RDONLY | constants.O_DIRECTORY);
  } catch (error) {
    if (["ENOENT", "ENOTDIR", "ELOOP", "EACCES", "EPERM"].includes(errorCode(error) ?? "")) return null;
    throw error;
  }
}

async function bytesOnDisk(path: Buffer): Promise<number> {
  try {
    return (await fs.lstat(path)).blocks * 512;
  } catch {
    return 0;
  }
}

/** Like `readNames`, but keeps names that are not UTF-8 as bytes, so that no file can hide behind such a name. */
async function readRawNames(folder: FileHandle, limit: number): Promise<Dirent<Buffer>[]> {
  const names: Dirent<Buffer>[] = [];
  const options = { bufferSize: 512, encoding: "buffer" as BufferEncoding };
  for await (const entry of (await fs.opendir(self(folder), options)) as unknown as AsyncIterable<Dirent<Buffer>>) {
    names.push(entry);
    if (names.length >= limit) break;
  }
  return names;
}

import { constants, type Dirent, promises as fs } from "node:fs";
import { atBytes, errorCode, self } from "./local-descriptors";
import { openChildFolder } from "./local-files";
import { type FileHandle, FOLDER_FLAGS, type LocalRoot } from "./local-root";

/** What an entry costs beside its blocks, so that millions of empty files are over the quota too. */
export const ENTRY_BYTES = 1_024;
/** Folders nested deeper count as a full workspace: each level holds a descriptor while it is measured. */
const MAX_DEPTH = 200;
const BATCH = 64;

/** How far to count. */
export interface UsageBounds {
  /** Counting stops beyond this. */
  readonly bytes: number;
  readonly entries: number;
}

interface Tally {
  bytes: number;
  entries: number;
}

/**
 * Bytes on disk, every file and folder counted, skipped ones too. Infinity when folders are nested too deep to be
 * measured; null when there are more entries than `bounds` allow to look at.
 */
export async function measureUsage(root: LocalRoot, bounds: UsageBounds): Promise<number | null> {
  await using folder = await root.open();
  const tally = { bytes: 0, entries: 0 };
  await measureFolder(folder, 1, tally, bounds);
  return tally.entries > bounds.entries && tally.bytes <= bounds.bytes ? null : tally.bytes;
}

async function measureFolder(folder: FileHandle, depth: number, tally: Tally, bounds: UsageBounds): Promise<void> {
  if (depth > MAX_DEPTH) {
    tally.bytes = Number.POSITIVE_INFINITY;
    return;
  }
  const isDone = () => tally.bytes > bounds.bytes || tally.entries > bounds.entries;
  const entries = await readRawNames(folder, Math.min(bounds.entries, Math.ceil(bounds.bytes / ENTRY_BYTES)) + 1);
  tally.entries += entries.length;
  tally.bytes += ENTRY_BYTES * entries.length;
  const files = entries.filter((entry) => !entry.isDirectory());
  for (let index = 0; index < files.length && !isDone(); index += BATCH) {
    const sizes = await Promise.all(
      files.slice(index, index + BATCH).map(({ name }) => bytesOnDisk(atBytes(folder, name))),
    );
    tally.bytes += sizes.reduce((sum, size) => sum + size, 0);
  }
  for (const { name } of entries.filter((entry) => entry.isDirectory())) {
    if (isDone()) return;
    const path = atBytes(folder, name);
    const child = (await openChildFolder(path)) ?? (await openClosedFolder(path));
    if (child === null) continue;
    await using _ = child;
    await measureFolder(child, depth + 1, tally, bounds);
  }
}

/** Opens what is there without a right to read it, and without following a link. */
const NAME_FLAGS = FOLDER_FLAGS | 0o10000000;

/**
 * A command may have made a folder unreadable to hide what is in it: if our own user owns it, the permission is
 * restored. Null when there is no such folder.
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

/** Like `readNames`, but keeps names that are not UTF-8 as bytes, so nothing can hide behind one. */
async function readRawNames(folder: FileHandle, limit: number): Promise<Dirent<Buffer>[]> {
  const names: Dirent<Buffer>[] = [];
  const options = { bufferSize: 512, encoding: "buffer" as BufferEncoding };
  for await (const entry of (await fs.opendir(self(folder), options)) as unknown as AsyncIterable<Dirent<Buffer>>) {
    names.push(entry);
    if (names.length >= limit) break;
  }
  return names;
}

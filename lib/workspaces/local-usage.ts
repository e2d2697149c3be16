import { promises as fs } from "node:fs";
import { at } from "./local-descriptors";
import { openChildFolder, readNames } from "./local-files";
import type { FileHandle, LocalRoot } from "./local-root";

/** What an entry costs at least, so that millions of empty files are over the quota too. */
const ENTRY_BYTES = 4_096;
/** Folders nested deeper count as a full workspace: each level holds a descriptor while it is measured. */
const MAX_DEPTH = 200;
const BATCH = 64;

/**
 * Bytes on disk, every file and folder counted, skipped ones too. Stops counting beyond `enough`. Infinity when folders
 * are nested too deep to be measured.
 */
export async function measureUsage(root: LocalRoot, enough: number): Promise<number> {
  await using folder = await root.open();
  return await measureFolder(folder, 1, enough);
}

async function measureFolder(folder: FileHandle, depth: number, enough: number): Promise<number> {
  if (depth > MAX_DEPTH) return Number.POSITIVE_INFINITY;
  const entries = await readNames(folder, Math.ceil(enough / ENTRY_BYTES) + 1);
  const files = entries.filter((entry) => !entry.isDirectory()).map((entry) => entry.name);
  let bytes = ENTRY_BYTES * entries.length;
  for (let index = 0; index < files.length && bytes <= enough; index += BATCH) {
    const sizes = await Promise.all(files.slice(index, index + BATCH).map((name) => extraBytes(folder, name)));
    bytes += sizes.reduce((sum, size) => sum + size, 0);
  }
  for (const { name } of entries.filter((entry) => entry.isDirectory())) {
    if (bytes > enough) break;
    const child = await openChildFolder(folder, name);
    if (child === null) continue;
    await using _ = child;
    bytes += await measureFolder(child, depth + 1, enough - bytes);
  }
  return bytes;
}

/** What a file has on disk beyond ENTRY_BYTES. */
async function extraBytes(folder: FileHandle, name: string): Promise<number> {
  try {
    const { blocks } = await fs.lstat(at(folder, name));
    return Math.max(0, blocks * 512 - ENTRY_BYTES);
  } catch {
    return 0;
  }
}

import type { Stats } from "node:fs";
import { chmod, copyFile, lchown, lstat, mkdir, readdir, readlink, symlink } from "node:fs/promises";
import path from "node:path";

/**
 * Copies a folder as it is: links stay links, owners stay owners where this user may set them, sockets and pipes are
 * left out, and what vanishes in the meantime (a live server's temporary file) does not fail the copy. Node's own `cp`
 * fails on such a file and makes this user the owner of everything.
 */
export async function copyTree(from: string, to: string): Promise<void> {
  const facts = await unlessMissing(lstat(from));
  if (facts === undefined) return;
  if (facts.isDirectory()) {
    await mkdir(to, { recursive: true, mode: 0o700 });
    const names = (await unlessMissing(readdir(from))) ?? [];
    for (const name of names) await copyTree(path.join(from, name), path.join(to, name));
  } else if (facts.isSymbolicLink()) {
    await unlessMissing(readlink(from).then((target) => symlink(target, to)));
  } else if (facts.isFile()) {
    await unlessMissing(copyFile(from, to));
  } else return;
  await keepOwner(to, facts);
}

async function keepOwner(to: string, facts: Stats): Promise<void> {
  if (process.getuid?.() === 0) await unlessMissing(lchown(to, facts.uid, facts.gid));
  if (!facts.isSymbolicLink()) await unlessMissing(chmod(to, facts.mode & 0o7777));
}

async function unlessMissing<T>(work: Promise<T>): Promise<T | undefined> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
    throw error;
  }
}

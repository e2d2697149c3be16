import { randomBytes } from "node:crypto";
import { type BigIntStats, constants, type Dirent, promises as fs, type Stats } from "node:fs";
import {
  MAX_LISTED_ENTRIES,
  type WorkspaceEntry,
  WorkspaceError,
  type WorkspaceListing,
} from "@/lib/agent/workspace/workspace";
import { compareNames } from "@/lib/workspaces/paths";
import { at, errorCode, explain, linkRefused, openFolder, openParent, self } from "./local-descriptors";
import { type FileHandle, FOLDER_FLAGS, type LocalRoot } from "./local-root";

/** Never blocks on the other end of a FIFO. */
const READ_FLAGS = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
const NEW_FILE_FLAGS = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW;
/** How many names are read from one folder; a command can create millions. */
const MAX_NAMES = 100_000;

export async function listFolder(root: LocalRoot, path: string): Promise<WorkspaceListing> {
  await using folder = await openFolder(root, path);
  const names = (await readNames(folder, MAX_NAMES)).map((entry) => entry.name).sort(compareNames);
  const listed = await Promise.all(names.slice(0, MAX_LISTED_ENTRIES).map((name) => entryAt(folder, name)));
  const entries = listed.filter((entry) => entry !== null);
  const omitted = names.length - MAX_LISTED_ENTRIES;
  return omitted > 0 ? Object.assign(entries, { omitted }) : entries;
}

/** At most `limit` entries, in disk order. */
export async function readNames(folder: FileHandle, limit: number): Promise<Dirent[]> {
  const names: Dirent[] = [];
  for await (const entry of await fs.opendir(self(folder), { bufferSize: 512 })) {
    names.push(entry);
    if (names.length >= limit) break;
  }
  return names;
}

/** Opens a folder at a path from `at` or `atBytes`; null if it is no longer a folder or can't be read. */
export async function openChildFolder(path: string | Buffer): Promise<FileHandle | null> {
  try {
    return await fs.open(path, FOLDER_FLAGS);
  } catch (error) {
    if (["ENOENT", "ENOTDIR", "ELOOP", "EACCES"].includes(errorCode(error) ?? "")) return null;
    throw error;
  }
}

export async function statEntry(root: LocalRoot, path: string): Promise<WorkspaceEntry | null> {
  if (path === "") return { name: "", type: "dir", size: 0 };
  try {
    const { folder, name } = await openParent(root, path);
    await using _ = folder;
    return await entryAt(folder, name);
  } catch (error) {
    if (error instanceof WorkspaceError && ["not_found", "not_a_folder"].includes(error.code)) return null;
    throw error;
  }
}

/** Null for what is neither file, folder nor link: a command can leave FIFOs, sockets and devices. */
async function entryAt(folder: FileHandle, name: string): Promise<WorkspaceEntry | null> {
  const stats = await lstatAt(folder, name);
  if (stats?.isSymbolicLink()) return { name, type: "link", size: 0 };
  if (stats?.isDirectory()) return { name, type: "dir", size: 0 };
  return stats?.isFile() ? { name, type: "file", size: stats.size } : null;
}

async function lstatAt(folder: FileHandle, name: string): Promise<Stats | null> {
  try {
    return await fs.lstat(at(folder, name));
  } catch (error) {
    if (errorCode(error) === "ENOENT") return null;
    throw await explain(error, folder, name, name);
  }
}

export async function readFile(root: LocalRoot, path: string, maxBytes: number) {
  const { folder, name } = await openParent(root, path);
  await using _ = folder;
  return await readFileAt(folder, name, path, maxBytes);
}

/** Refuses links, folders, FIFOs, devices and sockets. A sparse file costs no more than `maxBytes`. */
export async function readFileAt(folder: FileHandle, name: string, path: string, maxBytes: number) {
  await using file = await openRegular(folder, name, path);
  const { size } = await file.stat();
  const bytes = new Uint8Array(Math.min(size, maxBytes));
  let length = 0;
  while (length < bytes.length) {
    const { bytesRead } = await file.read(bytes, length, bytes.length - length, length);
    if (bytesRead === 0) break;
    length += bytesRead;
  }
  return { bytes: bytes.subarray(0, length), sizeBytes: size };
}

async function openRegular(folder: FileHandle, name: string, path: string): Promise<FileHandle> {
  const file = await fs.open(at(folder, name), READ_FLAGS).catch(async (error) => {
    throw errorCode(error) === "ELOOP" ? linkRefused(path) : await explain(error, folder, name, path);
  });
  const stats: Stats | BigIntStats = await file.stat();
  if (stats.isFile()) return file;
  await file.close();
  const kind = stats.isDirectory() ? "a folder" : "not a regular file";
  throw new WorkspaceError("not_a_file", `${path} is ${kind}.`);
}

/** Writes a new file and renames it over the old one: readers get the old bytes or the new ones; a link is replaced. */
export async function writeFile(root: LocalRoot, path: string, bytes: Uint8Array): Promise<void> {
  const { folder, name } = await openParent(root, path, "make");
  await using _ = folder;
  const before = await lstatAt(folder, name);
  if (before?.isDirectory()) throw new WorkspaceError("not_a_file", `${path} is a folder.`);
  const temporary = `.ringmaster-${randomBytes(9).toString("base64url")}`;
  const mode = before?.isFile() ? before.mode & 0o777 : 0o644;
  try {
    await writeNewFile(at(folder, temporary), bytes, mode, root.uid);
    await fs.rename(at(folder, temporary), at(folder, name));
  } catch (error) {
    await fs.unlink(at(folder, temporary)).catch(() => undefined);
    throw await explain(error, folder, name, path);
  }
}

async function writeNewFile(path: string, bytes: Uint8Array, mode: number, uid: number | null): Promise<void> {
  await using file = await fs.open(path, NEW_FILE_FLAGS, 0o600);
  await file.writeFile(bytes);
  if (uid !== null) await file.chown(uid, uid);
  await file.chmod(mode);
}

export async function makeFolder(root: LocalRoot, path: string): Promise<void> {
  await (await openFolder(root, path, "make")).close();
}

/** Removes a link itself, not its target. */
export async function removeEntry(root: LocalRoot, path: string): Promise<void> {
  const { folder, name } = await openParent(root, path);
  await using _ = folder;
  const stats = await lstatAt(folder, name);
  try {
    await (stats?.isDirectory() ? fs.rmdir(at(folder, name)) : fs.unlink(at(folder, name)));
  } catch (error) {
    throw await explain(error, folder, name, path);
  }
}

/** The size of the file that a write to `path` would replace. */
export async function replacedBytes(root: LocalRoot, path: string): Promise<number> {
  return (await statEntry(root, path))?.size ?? 0;
}

import { createHash, randomBytes } from "node:crypto";
import { promises as fs } from "node:fs";
import path from "node:path";
import { makeDataDirectory } from "@/lib/server/platform/data-directory";
import { type Services, serviceState } from "@/lib/server/platform/services";
import { parentPaths } from "@/lib/workspaces/paths";

/** A file of a folder to be created; `path` is relative to it. */
export interface FolderFile {
  readonly path: string;
  readonly hash: string;
}

type ReadBytes = (hash: string) => Promise<Uint8Array | null>;

/** The folders this process has created in one data directory. */
interface Made {
  readonly cleared: Promise<void>;
  readonly folders: Map<string, Promise<string>>;
}

const madeOf = serviceState("skill-folders", () => new Map<string, Made>());

/**
 * A folder on this machine with exactly these files: `<data>/skills/<hash of them>`, created once and never changed.
 * Every user of the machine may read it and none may write it, but the data directory around it is closed. Folders of
 * an earlier process are removed first because its commands ended with it.
 */
export async function requireSkillFolder(
  services: Services,
  dataDirectory: string,
  files: readonly FolderFile[],
  read: ReadBytes,
): Promise<string> {
  const made = madeOf(services);
  const base = path.join(dataDirectory, "skills");
  const { cleared, folders } = made.get(base) ?? { cleared: clear(base), folders: new Map() };
  made.set(base, { cleared, folders });
  await cleared.catch((error: unknown) => {
    made.delete(base);
    throw error;
  });
  const name = hashFiles(files);
  const folder = folders.get(name) ?? makeFolder(base, name, files, read);
  folders.set(name, folder);
  return folder.catch((error: unknown) => {
    folders.delete(name);
    throw error;
  });
}

async function clear(base: string): Promise<void> {
  await fs.rm(base, { recursive: true, force: true });
  makeDataDirectory(base);
  await fs.mkdir(path.join(base, "blobs"), { mode: 0o700 });
}

function hashFiles(files: readonly FolderFile[]): string {
  const sum = createHash("sha256");
  for (const { hash, path: name } of files) sum.update(`${hash} ${name}\0`);
  return sum.digest("hex");
}

async function makeFolder(base: string, name: string, files: readonly FolderFile[], read: ReadBytes): Promise<string> {
  const temporary = path.join(base, `new-${randomBytes(9).toString("hex")}`);
  await makeOpenFolder(temporary);
  const folders = new Set(files.flatMap((file) => parentPaths(file.path)));
  for (const folder of folders) await makeOpenFolder(path.join(temporary, folder));
  for (const file of files) {
    await fs.link(await requireBlob(base, file.hash, read), path.join(temporary, file.path));
  }
  await fs.rename(temporary, path.join(base, name));
  return path.join(base, name);
}

/** Creates a folder that every user may read, regardless of the umask. */
async function makeOpenFolder(folder: string): Promise<void> {
  await fs.mkdir(folder);
  await fs.chmod(folder, 0o755);
}

/** The bytes of a file, stored on disk once for all folders. */
async function requireBlob(base: string, hash: string, read: ReadBytes): Promise<string> {
  const blob = path.join(base, "blobs", hash);
  if (await fs.stat(blob).catch(() => null)) return blob;
  const bytes = await read(hash);
  if (!bytes) throw new Error(`The content ${hash} of an installed skill is gone from the database.`);
  const temporary = `${blob}-${randomBytes(9).toString("hex")}`;
  await fs.writeFile(temporary, bytes, { mode: 0o600, flag: "wx" });
  await fs.chmod(temporary, 0o444);
  await fs.rename(temporary, blob);
  return blob;
}

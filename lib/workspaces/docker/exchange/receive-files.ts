import { randomBytes } from "node:crypto";
import { constants, promises as fs } from "node:fs";
import { WorkspaceError } from "@/lib/agent/workspace/workspace";
import { at, openFolder, openParent } from "@/lib/workspaces/local/local-descriptors";
import type { FileHandle, LocalRoot } from "@/lib/workspaces/local/local-root";
import { entryAt, type LocalEntry, type LocalTree } from "./local-tree";
import { isSafePath, type RemoteTree } from "./remote-tree";
import { type ReadEntry, readTar } from "./tar";

const NEW_FILE_FLAGS = constants.O_RDWR | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW;
const COMPARED_BYTES = 256 * 1_024;
const CONFLICT = ".from-command";

/** Where received entries go, and what is known of the place. */
export interface Receiver {
  readonly root: LocalRoot;
  /** The folder on this machine as it was when it was last the same as the container's; kept up to date. */
  readonly local: LocalTree;
  /** The entries that were asked for: nothing else is accepted. */
  readonly wanted: RemoteTree;
  /** Paths at which somebody else wrote meanwhile; what the command wrote there stands beside. */
  readonly conflicts: string[];
}

/**
 * Writes an archive from a container into the workspace. The archive is untrusted: only paths that were asked for are
 * written, each through the workspace's own folders without following a link, and FIFOs, devices and the like are left
 * out. A file whose content is the same is not touched.
 */
export async function receiveFiles(receiver: Receiver, archive: AsyncIterable<Uint8Array>): Promise<void> {
  for await (const entry of readTar(archive)) {
    const path = entry.path.replace(/^\.\//, "").replace(/\/$/, "");
    const wanted = isSafePath(path) ? receiver.wanted.get(path) : undefined;
    if (wanted && entry.sizeBytes <= wanted.sizeBytes) await receive(receiver, path, entry);
  }
}

async function receive(receiver: Receiver, path: string, entry: ReadEntry): Promise<void> {
  const { root } = receiver;
  switch (entry.kind) {
    case "folder":
      return receiveFolder(receiver, path, entry.mode);
    case "link":
      return place(receiver, path, async (name) => {
        await fs.symlink(entry.target, name);
        if (root.uid !== null) await fs.lchown(name, root.uid, root.uid);
      });
    case "file":
      return place(receiver, path, (name) => writeNewFile(root, name, entry));
    case "hard link":
      return receiveSecondName(receiver, path, entry);
    case "other":
      return;
  }
}

async function receiveFolder({ root, local }: Receiver, path: string, mode: number): Promise<void> {
  await removeFile(root, path);
  await using folder = await openFolder(root, path, "make");
  await folder.chmod(mode | 0o700);
  const entry = await entryOf(root, path);
  if (entry) local.set(path, entry);
}

/** The same file under another name in the archive; here it becomes a file of its own. */
async function receiveSecondName(receiver: Receiver, path: string, entry: ReadEntry): Promise<void> {
  const target = entry.target.replace(/^\.\//, "");
  if (!isSafePath(target)) return;
  const parent = await openParent(receiver.root, target);
  await using folder = parent.folder;
  await using source = await fs.open(at(folder, parent.name), constants.O_RDONLY | constants.O_NOFOLLOW);
  const { mode, size: sizeBytes } = await source.stat();
  const content = source.createReadStream({ autoClose: false });
  const copy = { mode: mode & 0o777, sizeBytes, content };
  await place(receiver, path, (name) => writeNewFile(receiver.root, name, copy));
}

interface NewFile {
  readonly mode: number;
  readonly sizeBytes: number;
  readonly content: AsyncIterable<Buffer>;
}

async function writeNewFile({ uid }: LocalRoot, name: string, { mode, content }: NewFile): Promise<void> {
  await using file = await fs.open(name, NEW_FILE_FLAGS, 0o600);
  for await (const chunk of content) await file.write(chunk);
  if (uid !== null) await file.chown(uid, uid);
  await file.chmod(mode | 0o600);
}

/** Has `make` create a new entry and puts it in the place of the old one in one step, unless somebody else was faster. */
async function place(receiver: Receiver, path: string, make: (name: string) => Promise<void>): Promise<void> {
  const { root, local } = receiver;
  const { folder, name } = await openParent(root, path, "make");
  await using _ = folder;
  // The command's own removals are done: a folder that is not empty now is somebody else's.
  await fs.rmdir(at(folder, name)).catch(() => undefined);
  const temporary = at(folder, `.ringmaster-${randomBytes(9).toString("base64url")}`);
  try {
    await make(temporary);
    const now = entryAt(at(folder, name));
    if (now && (await isSameFile(temporary, at(folder, name)))) {
      await adopt(now, temporary, at(folder, name));
    } else if (isTouched(now, local.get(path))) {
      await fs.rename(temporary, at(folder, `${name}${CONFLICT}`));
      receiver.conflicts.push(path);
      return;
    } else await fs.rename(temporary, at(folder, name));
    const entry = entryAt(at(folder, name));
    if (entry) local.set(path, entry);
  } finally {
    await fs.rm(temporary, { force: true });
  }
}

/** Gives an unchanged file the permissions that the command gave it. */
async function adopt(now: LocalEntry, temporary: string, name: string): Promise<void> {
  const mode = entryAt(temporary)?.mode;
  if (now.kind === "file" && mode !== undefined && mode !== now.mode) await fs.chmod(name, mode);
}

function isTouched(now: LocalEntry | null, known: LocalEntry | undefined): boolean {
  return now !== null && (now.kind === "folder" || now.signature !== known?.signature);
}

async function isSameFile(one: string, other: string): Promise<boolean> {
  const [first, second] = [entryAt(one), entryAt(other)];
  if (first?.kind !== second?.kind || first?.kind !== "file" || first.sizeBytes !== second?.sizeBytes) return false;
  const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
  await using left = await fs.open(one, flags);
  await using right = await fs.open(other, flags);
  for (let offset = 0; offset < first.sizeBytes; offset += COMPARED_BYTES) {
    if (!(await partAt(left, offset)).equals(await partAt(right, offset))) return false;
  }
  return true;
}

async function partAt(file: FileHandle, offset: number): Promise<Buffer> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(COMPARED_BYTES), 0, COMPARED_BYTES, offset);
  return buffer.subarray(0, bytesRead);
}

/** Clears the way for a folder: a file or link of its name goes. */
async function removeFile(root: LocalRoot, path: string): Promise<void> {
  const found = await entryOf(root, path);
  if (found === null || found.kind === "folder") return;
  const { folder, name } = await openParent(root, path);
  await using _ = folder;
  await fs.unlink(at(folder, name));
}

async function entryOf(root: LocalRoot, path: string): Promise<LocalEntry | null> {
  try {
    const { folder, name } = await openParent(root, path);
    await using _ = folder;
    return entryAt(at(folder, name));
  } catch (error) {
    if (error instanceof WorkspaceError) return null;
    throw error;
  }
}

/** Removes what the command has removed, the deepest first, except what somebody else has changed meanwhile. */
export async function removeGone({ root, local }: Receiver, gone: readonly string[]): Promise<void> {
  for (const path of gone.toSorted((left, right) => right.length - left.length)) {
    const known = local.get(path);
    const now = await entryOf(root, path);
    if (now && known && (now.kind === "folder" ? known.kind === "folder" : now.signature === known.signature))
      await removeOne(root, path, now);
    local.delete(path);
  }
}

async function removeOne(root: LocalRoot, path: string, { kind }: LocalEntry): Promise<void> {
  const { folder, name } = await openParent(root, path);
  await using _ = folder;
  // A folder that somebody has put something into stays.
  await (kind === "folder" ? fs.rmdir(at(folder, name)).catch(() => undefined) : fs.unlink(at(folder, name)));
}

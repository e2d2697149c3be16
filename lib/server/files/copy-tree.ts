import { constants, type Stats } from "node:fs";
import * as fs from "node:fs/promises";
import path from "node:path";

/** An open folder; `path` is only for systems on which an entry can't be named from it. */
interface Folder {
  readonly handle: fs.FileHandle;
  readonly path: string;
}

/** The current position of the copy: an open folder on both sides, and the path to it. */
interface Place {
  readonly from: Folder;
  readonly to: Folder;
  readonly way: readonly string[];
  readonly leftOut: string[];
  /** The owner of the copy; null keeps the owners. */
  readonly owner: number | null;
}

/** Each level holds two descriptors while its content is copied. */
const MAX_DEPTH = 200;
const OPEN_FOLDER = constants.O_RDONLY | constants.O_DIRECTORY;
const FOLDER = OPEN_FOLDER | constants.O_NOFOLLOW;
/** Never blocks on the other end of a pipe. */
const FILE = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
const NEW_FILE = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW;

/**
 * Copies a file or folder as it is: links stay links, owners are kept where this user may set them, sockets and pipes
 * are skipped, and entries that vanish meanwhile (a live server's temporary file) are no reason to fail. Returns what
 * can't be copied, because it is unreadable or nested too deep, each with the reason.
 *
 * Every entry is opened from its open folder and no link is followed: a command that swaps a folder for a link
 * meanwhile can't lead the copy outside, and no path is too long.
 */
export async function copyTree(from: string, to: string, owner: number | null = null): Promise<string[]> {
  const leftOut: string[] = [];
  const [fromFolder, toFolder] = [path.dirname(from), path.dirname(to)];
  const found = await unlessMissing(fs.open(fromFolder, OPEN_FOLDER));
  if (found === undefined) return leftOut;
  await using source = found;
  await fs.mkdir(toFolder, { recursive: true, mode: 0o700 });
  await using target = await fs.open(toFolder, OPEN_FOLDER);
  const sides = { from: { handle: source, path: fromFolder }, to: { handle: target, path: toFolder } };
  await copyEntry(
    { ...sides, way: [], leftOut, owner },
    Buffer.from(path.basename(from)),
    Buffer.from(path.basename(to)),
  );
  return leftOut;
}

async function copyEntry(place: Place, name: Buffer, newName = name): Promise<void> {
  const [from, to] = [at(place.from, name), at(place.to, newName)];
  const facts = await unlessMissing(fs.lstat(from));
  try {
    if (facts?.isDirectory()) await copyFolder({ ...place, way: [...place.way, name.toString()] }, from, to);
    else if (facts?.isSymbolicLink()) await copyLink(from, to, place.owner ?? facts);
    else if (facts?.isFile()) await copyFile(place, from, to);
  } catch (error) {
    if (!isAny(error, "EACCES", "EPERM")) throw error;
    place.leftOut.push(`${[...place.way, name].join("/")}: may not be read`);
  }
}

async function copyFolder(place: Place, from: Buffer, to: Buffer): Promise<void> {
  if (place.way.length > MAX_DEPTH) {
    place.leftOut.push(`${place.way.join("/")}: nested deeper than ${MAX_DEPTH} folders`);
    return;
  }
  const opened = await unlessMissing(fs.open(from, FOLDER));
  if (opened === undefined) return;
  await using source = opened;
  await fs.mkdir(to, { mode: 0o700 });
  await using target = await fs.open(to, FOLDER);
  const sides = { from: { handle: source, path: String(from) }, to: { handle: target, path: String(to) } };
  for (const name of await fs.readdir(self(sides.from), { encoding: "buffer" })) {
    await copyEntry({ ...place, ...sides }, name);
  }
  await setOwner(place, target, await source.stat());
}

async function copyLink(from: Buffer, to: Buffer, owner: number | Stats): Promise<void> {
  const target = await unlessMissing(fs.readlink(from, { encoding: "buffer" }));
  if (target === undefined) return;
  await fs.symlink(target, to);
  const { uid, gid } = typeof owner === "number" ? { uid: owner, gid: owner } : owner;
  if (process.getuid?.() === 0) await fs.lchown(to, uid, gid);
}

async function copyFile(place: Place, from: Buffer, to: Buffer): Promise<void> {
  const opened = await unlessMissing(fs.open(from, FILE));
  if (opened === undefined) return;
  await using source = opened;
  const facts = await source.stat();
  if (!facts.isFile()) return;
  await using target = await fs.open(to, NEW_FILE, 0o600);
  await fs.writeFile(target, source.createReadStream({ autoClose: false, start: 0 }));
  await setOwner(place, target, facts);
}

/** With another owner, set-user and set-group permissions are removed. */
async function setOwner({ owner }: Place, target: fs.FileHandle, facts: Stats): Promise<void> {
  if (process.getuid?.() === 0) await target.chown(owner ?? facts.uid, owner ?? facts.gid);
  await target.chmod(facts.mode & (owner === null ? 0o7777 : 0o777));
}

function at(folder: Folder, name: Buffer): Buffer {
  return Buffer.concat([Buffer.from(`${self(folder)}/`), name]);
}

/** The path of an open folder on Linux; elsewhere there are no commands that could swap it. */
function self({ handle, path: usual }: Folder): string {
  return process.platform === "linux" ? `/proc/self/fd/${handle.fd}` : usual;
}

/** Undefined if the entry has vanished or was swapped for something else since it was listed. */
async function unlessMissing<T>(work: Promise<T>): Promise<T | undefined> {
  try {
    return await work;
  } catch (error) {
    if (isAny(error, "ENOENT", "ELOOP", "ENOTDIR", "EINVAL", "ENXIO")) return undefined;
    throw error;
  }
}

function isAny(error: unknown, ...codes: readonly string[]): boolean {
  return error instanceof Error && "code" in error && codes.includes(String(error.code));
}

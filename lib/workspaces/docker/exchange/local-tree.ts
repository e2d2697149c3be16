import { type BigIntStats, closeSync, constants, lstatSync, openSync, readdirSync, readlinkSync } from "node:fs";
import { WorkspaceError } from "@/lib/agent/workspace/workspace";
import { errorCode } from "@/lib/workspaces/local/local-descriptors";
import { FOLDER_FLAGS, type LocalRoot } from "@/lib/workspaces/local/local-root";
import { isUsableName, joinPath } from "@/lib/workspaces/paths";
import { createSearchTime, type SearchTime } from "@/lib/workspaces/search-time";

/** One entry of the workspace's folder on this machine. */
export interface LocalEntry {
  readonly kind: "file" | "folder" | "link";
  readonly mode: number;
  readonly sizeBytes: number;
  readonly target: string;
  /** Changes with the content, the kind and the permissions. */
  readonly signature: string;
}

export type LocalTree = Map<string, LocalEntry>;

const MAX_ENTRIES = 200_000;
const MAX_DEPTH = 64;

interface Look {
  readonly time: SearchTime;
  readonly entries: LocalTree;
}

/**
 * Everything in the workspace, folders before what is in them. Skips FIFOs, devices and names that can't be worked with.
 * Throws WorkspaceError if there is too much to exchange with a container.
 */
export async function lookAtTree(root: LocalRoot): Promise<LocalTree> {
  const look: Look = { time: createSearchTime(), entries: new Map() };
  await using folder = await root.open();
  await lookInto(look, folder.fd, "", 1);
  return look.entries;
}

/** `folder` is an open descriptor, so it can no longer be swapped for another folder. */
async function lookInto(look: Look, folder: number, path: string, depth: number): Promise<void> {
  for (const name of readdirSync(`/proc/self/fd/${folder}`)) {
    if (!isUsableName(name)) continue;
    if (look.time.isDue()) await look.time.pause();
    const entry = entryAt(`/proc/self/fd/${folder}/${name}`);
    if (entry === null) continue;
    const entryPath = joinPath(path, name);
    look.entries.set(entryPath, entry);
    if (look.entries.size > MAX_ENTRIES || depth > MAX_DEPTH) throw tooMuch();
    if (entry.kind === "folder") await enter(look, `/proc/self/fd/${folder}/${name}`, entryPath, depth + 1);
  }
}

async function enter(look: Look, name: string, path: string, depth: number): Promise<void> {
  const folder = openOrNull(name);
  if (folder === null) return;
  try {
    await lookInto(look, folder, path, depth);
  } finally {
    closeSync(folder);
  }
}

function openOrNull(name: string): number | null {
  try {
    return openSync(name, FOLDER_FLAGS);
  } catch (error) {
    if (["ENOENT", "ENOTDIR", "ELOOP", "EACCES"].includes(errorCode(error) ?? "")) return null;
    throw error;
  }
}

/** `name` is one component of an open folder. Null for what is not exchanged, and for nothing. */
export function entryAt(name: string): LocalEntry | null {
  const stats = lstatSync(name, { bigint: true, throwIfNoEntry: false });
  const kind = stats && kindOf(stats);
  if (!kind) return null;
  const mode = Number(stats.mode) & 0o777;
  const sizeBytes = kind === "file" ? Number(stats.size) : 0;
  const target = kind === "link" ? readTarget(name) : "";
  const times = kind === "folder" ? [] : [stats.ino, stats.size, stats.ctimeNs];
  return { kind, mode, sizeBytes, target, signature: [kind, mode, ...times].join(" ") };
}

function kindOf(stats: BigIntStats): LocalEntry["kind"] | null {
  switch (Number(stats.mode) & constants.S_IFMT) {
    case constants.S_IFREG:
      return "file";
    case constants.S_IFDIR:
      return "folder";
    case constants.S_IFLNK:
      return "link";
    default:
      return null;
  }
}

function readTarget(name: string): string {
  try {
    return readlinkSync(name);
  } catch {
    return "";
  }
}

function tooMuch(): WorkspaceError {
  const message = `The workspace has more than ${MAX_ENTRIES} entries or ${MAX_DEPTH} levels of folders, too many for the docker sandbox. Delete what is not needed.`;
  return new WorkspaceError("too_large", message);
}

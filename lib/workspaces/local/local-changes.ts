import { closeSync, lstatSync, opendirSync, openSync } from "node:fs";
import type { WorkspaceChanges } from "@/lib/agent/workspace/workspace";
import { comparePaths, isSkippedFolder, isUsableName, joinPath } from "@/lib/workspaces/paths";
import { createSearchTime, type SearchTime } from "@/lib/workspaces/search-time";
import { errorCode } from "./local-descriptors";
import { FOLDER_FLAGS, type LocalRoot } from "./local-root";

/** Low enough to limit the scan to a few hundredths of a second. */
const MAX_ENTRIES = 5_000;
const MAX_DEPTH = 16;
/** File times come from a clock that lags by one kernel tick. */
const CLOCK_SLACK_MS = 20;

interface Look {
  readonly sinceMs: number;
  readonly time: SearchTime;
  readonly changed: string[];
  readonly present: Set<string>;
  left: number;
  truncated: boolean;
}

/**
 * Files created or changed since `sinceMs`, by inode change time (ctime), which, unlike mtime, no command can set.
 * Skipped folders (`node_modules`, dot folders and the like) are not entered. Calls are synchronous, because thousands
 * of small ones take three times as long through the thread pool; other work runs between them.
 */
export async function changedSince(root: LocalRoot, sinceMs: number): Promise<WorkspaceChanges> {
  const time = createSearchTime();
  const since = sinceMs - CLOCK_SLACK_MS;
  const look: Look = { sinceMs: since, time, changed: [], present: new Set(), left: MAX_ENTRIES, truncated: false };
  await using folder = await root.open();
  await lookInto(look, folder.fd, "", 1);
  return { changed: look.changed.sort(comparePaths), present: look.truncated ? null : look.present };
}

/** `folder` is an open descriptor, so it can no longer be swapped for another folder. */
async function lookInto(look: Look, folder: number, path: string, depth: number): Promise<void> {
  for (const entry of readEntries(look, folder)) {
    if (!isUsableName(entry.name)) continue;
    if (look.time.isDue()) await look.time.pause();
    const entryPath = joinPath(path, entry.name);
    if (entry.isFile()) lookAt(look, `/proc/self/fd/${folder}/${entry.name}`, entryPath);
    else if (entry.isDirectory() && !isSkippedFolder(entry.name)) {
      await enter(look, `/proc/self/fd/${folder}/${entry.name}`, entryPath, depth + 1);
    }
  }
}

async function enter(look: Look, name: string, path: string, depth: number): Promise<void> {
  if (depth > MAX_DEPTH || look.left <= 0) {
    look.truncated = true;
    return;
  }
  const folder = openOrNull(name);
  if (folder === null) return;
  try {
    await lookInto(look, folder, path, depth);
  } finally {
    closeSync(folder);
  }
}

function lookAt({ sinceMs, changed, present }: Look, name: string, path: string): void {
  const stats = lstatSync(name, { throwIfNoEntry: false });
  if (!stats?.isFile()) return;
  present.add(path);
  if (stats.ctimeMs >= sinceMs) changed.push(path);
}

function readEntries(look: Look, folder: number) {
  const entries = [];
  const open = opendirSync(`/proc/self/fd/${folder}`, { bufferSize: 512 });
  try {
    for (let entry = open.readSync(); entry !== null; entry = open.readSync()) {
      look.left -= 1;
      if (look.left < 0) {
        look.truncated = true;
        break;
      }
      entries.push(entry);
    }
  } finally {
    open.closeSync();
  }
  return entries;
}

/** Null if it is no longer a folder or can't be read. */
function openOrNull(name: string): number | null {
  try {
    return openSync(name, FOLDER_FLAGS);
  } catch (error) {
    if (["ENOENT", "ENOTDIR", "ELOOP", "EACCES"].includes(errorCode(error) ?? "")) return null;
    throw error;
  }
}

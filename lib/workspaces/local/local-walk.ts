import { MAX_PATH_CHARS, WorkspaceError } from "@/lib/agent/workspace/workspace";
import type { WorkspaceLimits } from "@/lib/workspaces/limits";
import { compareNames, isSkippedFolder, isUsableName, joinPath } from "@/lib/workspaces/paths";
import { at, openFolder } from "./local-descriptors";
import { openChildFolder, readNames } from "./local-files";
import type { FileHandle, LocalRoot } from "./local-root";

/** A file reached by a walk. `folder` is open until the walk continues. */
export interface WalkedFile {
  readonly path: string;
  readonly name: string;
  readonly folder: FileHandle;
}

/** The rest of a walk's allowance. */
interface WalkBudget {
  entries: number;
  readonly depth: number;
  truncated: boolean;
}

export interface Walk {
  readonly files: AsyncGenerator<WalkedFile>;
  /** Whether the walk omitted something because of its limits; final once `files` has ended. */
  readonly truncated: () => boolean;
}

/**
 * Regular files below `base` by name, each folder opened from its parent. Skips ignored folders, links, and paths that
 * are too long for the file tools.
 */
export function walkFiles(root: LocalRoot, base: string, limits: WorkspaceLimits): Walk {
  const budget: WalkBudget = { entries: limits.walkEntries, depth: limits.walkDepth, truncated: false };
  return { files: walkRoot(root, base, budget), truncated: () => budget.truncated };
}

async function* walkRoot(root: LocalRoot, base: string, budget: WalkBudget): AsyncGenerator<WalkedFile> {
  await using folder = await openFolder(root, base);
  yield* walkFolder(folder, base, 1, budget);
}

async function* walkFolder(
  folder: FileHandle,
  path: string,
  depth: number,
  budget: WalkBudget,
): AsyncGenerator<WalkedFile> {
  const entries = await readNames(folder, budget.entries);
  budget.entries -= entries.length;
  if (budget.entries <= 0) budget.truncated = true;
  for (const entry of entries.sort((left, right) => compareNames(left.name, right.name))) {
    if (!isUsableName(entry.name)) continue;
    const entryPath = joinPath(path, entry.name);
    if (entryPath.length > MAX_PATH_CHARS) {
      budget.truncated = true;
      continue;
    }
    if (entry.isFile()) yield { path: entryPath, name: entry.name, folder };
    else if (entry.isDirectory() && !isSkippedFolder(entry.name)) {
      yield* walkChild(folder, entry.name, { path: entryPath, depth: depth + 1 }, budget);
    }
  }
}

async function* walkChild(
  parent: FileHandle,
  name: string,
  child: { readonly path: string; readonly depth: number },
  budget: WalkBudget,
): AsyncGenerator<WalkedFile> {
  if (child.depth > budget.depth || budget.entries <= 0) {
    budget.truncated = true;
    return;
  }
  const folder = await openChildFolder(at(parent, name));
  if (folder === null) return;
  await using _ = folder;
  yield* walkFolder(folder, child.path, child.depth, budget);
}

/** The folder where a search begins if its glob starts with folder names; null if it does not exist. */
export async function searchBase(root: LocalRoot, path: string, globBase: string): Promise<string | null> {
  await (await openFolder(root, path)).close();
  if (globBase === "") return path;
  const base = joinPath(path, globBase);
  try {
    await (await openFolder(root, base)).close();
    return base;
  } catch (error) {
    if (error instanceof WorkspaceError) return null;
    throw error;
  }
}

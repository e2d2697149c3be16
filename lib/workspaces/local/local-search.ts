import { type GrepMatch, type GrepQuery, MAX_PATH_CHARS, WorkspaceError } from "@/lib/agent/workspace/workspace";
import { compileGlob } from "@/lib/workspaces/glob-pattern";
import type { WorkspaceLimits } from "@/lib/workspaces/limits";
import { compileSearch, type LineSearch, searchLines } from "@/lib/workspaces/line-search";
import { createSearchTime, type SearchTime } from "@/lib/workspaces/search-time";
import { readFile, readFileAt, statEntry } from "./local-files";
import type { LocalRoot } from "./local-root";
import { searchBase, type WalkedFile, walkFiles } from "./local-walk";

export interface Found<Item> {
  readonly items: Item[];
  readonly truncated: boolean;
}

/** Runs ripgrep below `base`; null if it can't answer and the files must be read here. */
export type FastSearch = (query: GrepQuery, base: string, glob: string | null) => Promise<Found<GrepMatch> | null>;

export async function globLocal(root: LocalRoot, query: GlobQuery, limits: WorkspaceLimits): Promise<Found<string>> {
  const glob = compileGlob(query.pattern);
  const { isShown = () => true } = query;
  const base = await searchBase(root, query.path, glob.base);
  if (base === null) return { items: [], truncated: false };
  const walk = walkFiles(root, base, limits);
  const time = createSearchTime();
  const items: string[] = [];
  for await (const { path } of walk.files) {
    if (time.isDue()) await time.pause();
    if (glob.matches(below(base, path)) && isShown(path)) items.push(path);
    if (items.length > query.limit) break;
  }
  return cut(items, query.limit, walk.truncated());
}

export interface GlobQuery {
  readonly pattern: string;
  readonly path: string;
  readonly limit: number;
  readonly isShown?: ((path: string) => boolean) | undefined;
}

/**
 * Matching lines, found by `fast` if possible, otherwise by RE2 over the files; both give the same results. With hidden
 * files it is always the latter, since what is cut from the output of `fast` would tell of matches in them.
 */
export async function grepLocal(
  root: LocalRoot,
  query: GrepQuery,
  limits: WorkspaceLimits,
  fast: FastSearch | null,
): Promise<Found<GrepMatch>> {
  const search = compileSearch(query.pattern, query.caseSensitive);
  const target = query.path === "" ? null : await statEntry(root, query.path);
  const { isShown = () => true } = query;
  if (target?.type === "file" && !isShown(query.path)) return { items: [], truncated: false };
  if (target?.type === "file") return grepFile(root, query, search, limits);
  const glob = query.glob === undefined ? null : compileGlob(query.glob);
  const base = await searchBase(root, query.path, glob?.base ?? "");
  if (base === null) return { items: [], truncated: false };
  const matches = (path: string) => (glob?.matches(below(base, path)) ?? true) && isShown(path);
  const found = query.isShown ? null : ((await fast?.(query, base, glob?.ripgrep ?? null)) ?? null);
  if (found === null) return grepWalk({ root, base, matches, search, limit: query.limit }, limits);
  return cut(await matching(found.items, matches, search.time), query.limit, found.truncated);
}

/** The matches whose path fits the glob. Yields to other work, and omits paths as a walk does. */
async function matching(items: readonly GrepMatch[], matches: (path: string) => boolean, time: SearchTime) {
  const fitting: GrepMatch[] = [];
  for (const item of items) {
    if (time.isDue()) await time.pause();
    if (item.file.length <= MAX_PATH_CHARS && matches(item.file)) fitting.push(item);
  }
  return fitting;
}

async function grepFile(root: LocalRoot, query: GrepQuery, search: LineSearch, limits: WorkspaceLimits) {
  const { bytes, sizeBytes } = await readFile(root, query.path, limits.fileBytes);
  const found = await searchLines(query.path, bytes, search, query.limit + 1);
  return cut(found, query.limit, sizeBytes > limits.fileBytes);
}

interface GrepWalk {
  readonly root: LocalRoot;
  readonly base: string;
  readonly matches: (path: string) => boolean;
  readonly search: LineSearch;
  readonly limit: number;
}

async function grepWalk(grep: GrepWalk, limits: WorkspaceLimits): Promise<Found<GrepMatch>> {
  const walk = walkFiles(grep.root, grep.base, limits);
  const items: GrepMatch[] = [];
  const { time } = grep.search;
  for await (const file of walk.files) {
    if (time.isDue()) await time.pause();
    if (!grep.matches(file.path)) continue;
    items.push(...(await searchFile(file, grep, grep.limit + 1 - items.length, limits)));
    if (items.length > grep.limit) break;
  }
  return cut(items, grep.limit, walk.truncated());
}

/** Files that are too large, missing or unreadable have no matches. */
async function searchFile(file: WalkedFile, grep: GrepWalk, limit: number, limits: WorkspaceLimits) {
  try {
    const { bytes, sizeBytes } = await readFileAt(file.folder, file.name, file.path, limits.fileBytes);
    return sizeBytes > limits.fileBytes ? [] : await searchLines(file.path, bytes, grep.search, limit);
  } catch (error) {
    if (error instanceof WorkspaceError) return [];
    throw error;
  }
}

function cut<Item>(items: Item[], limit: number, truncated: boolean): Found<Item> {
  return { items: items.slice(0, limit), truncated: truncated || items.length > limit };
}

function below(base: string, path: string): string {
  return base === "" ? path : path.slice(base.length + 1);
}

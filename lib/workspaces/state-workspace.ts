import {
  type GrepMatch,
  type GrepQuery,
  MAX_LISTED_ENTRIES,
  type Workspace,
  type WorkspaceEntry,
  WorkspaceError,
  type WorkspaceListing,
} from "@/lib/agent/workspace/workspace";
import { compileGlob } from "./glob-pattern";
import { WORKSPACE_LIMITS, type WorkspaceLimits } from "./limits";
import { compileSearch, type LineSearch, searchLines } from "./line-search";
import { compareNames, comparePaths, isSkippedFolder, parentPaths } from "./paths";
import { checkFileSize, quotaError } from "./refusals";
import { createSearchTime } from "./search-time";

interface StateFile {
  readonly path: string;
  readonly sizeBytes: number;
}

/**
 * The storage of a `state` workspace: rows of one workspace, found by path. Paths are normalised and never empty.
 * Folders are not stored: they exist while they contain a file. Each method is one statement.
 */
export interface StateFileStore {
  /** All files below `folder` at any depth, in any order; "" lists every file. `a` includes `a/x` but not `ab/x`. */
  list(folder: string): Promise<StateFile[]>;
  /** The entries of `paths` that are files. */
  find(paths: readonly string[]): Promise<StateFile[]>;
  read(path: string): Promise<Uint8Array | null>;
  /** Creates or replaces the file atomically: readers get the old bytes or the new ones. */
  write(path: string, bytes: Uint8Array): Promise<void>;
  /** False if there was no file. */
  remove(path: string): Promise<boolean>;
  /** The sum of all sizes. */
  totalBytes(): Promise<number>;
}

/** A workspace whose files are rows of `store`; commands cannot run, so `execute` is absent. */
export function createStateWorkspace(store: StateFileStore, limits: WorkspaceLimits = WORKSPACE_LIMITS): Workspace {
  return {
    type: "state",
    list: (path) => list(store, path),
    stat: (path) => stat(store, path),
    read: (path, maxBytes) => read(store, path, maxBytes),
    write: (path, bytes) => write(store, path, bytes, limits),
    remove: (path) => remove(store, path),
    async glob(pattern, path, limit, isShown = () => true) {
      const glob = compileGlob(pattern);
      const base = [path, glob.base].filter(Boolean).join("/");
      if (path !== "") await requireFolder(store, path);
      const found = await matching(await searchable(store, base), (file) => {
        return glob.matches(below(base, file.path)) && isShown(file.path);
      });
      return { files: found.slice(0, limit).map((file) => file.path), truncated: found.length > limit };
    },
    grep: (query) => grep(store, query, limits),
  };
}

async function list(store: StateFileStore, path: string): Promise<WorkspaceListing> {
  const files = await store.list(path);
  if (files.length === 0 && path !== "") await requireFolder(store, path);
  const entries = new Map<string, WorkspaceEntry>();
  for (const file of files) {
    const [name = "", ...rest] = below(path, file.path).split("/");
    entries.set(name, rest.length > 0 ? { name, type: "dir", size: 0 } : { name, type: "file", size: file.sizeBytes });
  }
  const sorted = [...entries.values()].sort((left, right) => compareNames(left.name, right.name));
  const omitted = sorted.length - MAX_LISTED_ENTRIES;
  return omitted > 0 ? Object.assign(sorted.slice(0, MAX_LISTED_ENTRIES), { omitted }) : sorted;
}

async function stat(store: StateFileStore, path: string): Promise<WorkspaceEntry | null> {
  const name = path.slice(path.lastIndexOf("/") + 1);
  if (path === "") return { name, type: "dir", size: 0 };
  const [file] = await store.find([path]);
  if (file) return { name, type: "file", size: file.sizeBytes };
  return (await store.list(path)).length > 0 ? { name, type: "dir", size: 0 } : null;
}

async function read(store: StateFileStore, path: string, maxBytes: number) {
  const bytes = path === "" ? null : await store.read(path);
  if (bytes) return { bytes: bytes.subarray(0, maxBytes), sizeBytes: bytes.byteLength };
  if ((await stat(store, path)) !== null) throw new WorkspaceError("not_a_file", `${path || "/"} is a folder.`);
  throw new WorkspaceError("not_found", `There is no file ${path}.`);
}

async function write(store: StateFileStore, path: string, bytes: Uint8Array, limits: WorkspaceLimits): Promise<void> {
  checkFileSize(path, bytes.byteLength, limits);
  const [before, inside, total, parents] = await Promise.all([
    store.find([path]),
    path === "" ? [] : store.list(path),
    store.totalBytes(),
    store.find(parentPaths(path)),
  ]);
  if (path === "" || inside.length > 0) throw new WorkspaceError("not_a_file", `${path || "/"} is a folder.`);
  if (parents[0]) throw new WorkspaceError("not_a_folder", `${parents[0].path} is a file, not a folder.`);
  const growth = bytes.byteLength - (before[0]?.sizeBytes ?? 0);
  if (growth > 0 && total + growth > limits.quotaBytes) throw quotaError(limits);
  await store.write(path, bytes);
}

async function remove(store: StateFileStore, path: string): Promise<void> {
  if (path !== "" && (await store.remove(path))) return;
  if ((await stat(store, path)) === null) throw new WorkspaceError("not_found", `There is nothing at ${path}.`);
  throw new WorkspaceError("failed", `The folder ${path || "/"} is not empty; remove what is in it first.`);
}

async function grep(store: StateFileStore, query: GrepQuery, limits: WorkspaceLimits) {
  const search = compileSearch(query.pattern, query.caseSensitive);
  const matches: GrepMatch[] = [];
  for (const path of await grepFiles(store, query, limits)) {
    matches.push(...(await grepFile(store, path, search, query.limit + 1 - matches.length)));
    if (matches.length > query.limit) break;
  }
  return { matches: matches.slice(0, query.limit), truncated: matches.length > query.limit };
}

async function grepFile(store: StateFileStore, path: string, search: LineSearch, limit: number): Promise<GrepMatch[]> {
  const bytes = await store.read(path);
  return bytes ? searchLines(path, bytes, search, limit) : [];
}

async function grepFiles(store: StateFileStore, query: GrepQuery, limits: WorkspaceLimits): Promise<string[]> {
  const [single] = query.path === "" ? [] : await store.find([query.path]);
  const { isShown = () => true } = query;
  if (single) return [single.path].filter(isShown);
  if (query.path !== "") await requireFolder(store, query.path);
  const glob = query.glob === undefined ? null : compileGlob(query.glob);
  const base = [query.path, glob?.base].filter(Boolean).join("/");
  const small = (await searchable(store, base)).filter((file) => file.sizeBytes <= limits.fileBytes);
  const fits = (path: string) => glob?.matches(below(base, path)) ?? true;
  const found = await matching(small, ({ path }) => fits(path) && isShown(path));
  return found.map((file) => file.path);
}

/** A filter that yields to other work. */
async function matching(files: readonly StateFile[], test: (file: StateFile) => boolean): Promise<StateFile[]> {
  const time = createSearchTime();
  const found: StateFile[] = [];
  for (const file of files) {
    if (test(file)) found.push(file);
    if (time.isDue()) await time.pause();
  }
  return found;
}

/** Files below `base` in walk order, except those in skipped folders. */
async function searchable(store: StateFileStore, base: string): Promise<StateFile[]> {
  const files = await store.list(base);
  const isSkipped = (file: StateFile) => below(base, file.path).split("/").slice(0, -1).some(isSkippedFolder);
  return files.filter((file) => !isSkipped(file)).sort((left, right) => comparePaths(left.path, right.path));
}

async function requireFolder(store: StateFileStore, path: string): Promise<void> {
  const found = await stat(store, path);
  if (found === null) throw new WorkspaceError("not_found", `There is no folder ${path}.`);
  if (found.type !== "dir") throw new WorkspaceError("not_a_folder", `${path} is a file, not a folder.`);
}

/** The part of `path` below `folder`. */
function below(folder: string, path: string): string {
  return folder === "" ? path : path.slice(folder.length + 1);
}

import {
  type CommandOptions,
  type GrepMatch,
  MAX_LISTED_ENTRIES,
  type Workspace,
  type WorkspaceEntry,
  WorkspaceError,
  type WorkspaceListing,
} from "@/lib/agent/workspace/workspace";
import { compileGlob } from "./glob-pattern";
import { compareNames, comparePaths } from "./paths";
import { createStateWorkspace, type StateFileStore } from "./state-workspace";

/** The installed skills that a workspace exposes. */
export interface SkillLibrary {
  readonly skills: readonly { readonly name: string; readonly description: string }[];
  /** Their files as `skills/<name>/…`; read-only. */
  readonly files: StateFileStore;
  /** Writes the files of these skills to a folder of this machine, as `<name>/…`, for commands. */
  materialize(names: ReadonlySet<string>): Promise<string>;
}

/** The workspace folder of the installed skills (D-64). */
const FOLDER = "skills";

/** The workspace itself and the skills overlaid on it. */
interface Layers {
  readonly own: Workspace;
  readonly installed: SkillLibrary;
}

/**
 * Overlays the installed skills on `own` in its folder `skills`, read-only and outside its quota. The workspace's own
 * content there stays writable and hides an installed skill of the same name, for the file tools and for commands
 * alike. A search enters the installed skills only if its path or pattern names them, as for node_modules.
 */
export function mountSkills(own: Workspace, installed: SkillLibrary): Workspace {
  const layers = { own, installed };
  const { execute } = own;
  return {
    ...own,
    list: (path) => list(layers, inside(path)),
    stat: (path) => stat(layers, inside(path)),
    read: async (path, maxBytes) => (await layerOf(layers, inside(path))).read(inside(path), maxBytes),
    async write(path, bytes) {
      await refuseChange(layers, inside(path));
      await own.write(inside(path), bytes);
    },
    async remove(path) {
      await refuseChange(layers, inside(path));
      await own.remove(inside(path));
    },
    async glob(pattern, path, limit, isShown) {
      const search = (layer: Workspace) => layer.glob(pattern, inside(path), limit, isShown);
      const found = await searchLayers(layers, { path: inside(path), pattern }, search);
      const files = [...found.own.flatMap((part) => part.files), ...found.installed.flatMap(installedFiles)];
      const truncated = isTruncated(found) || files.length > limit;
      return { files: files.sort(compareFound).slice(0, limit), truncated };
    },
    async grep(query) {
      const search = (layer: Workspace) => layer.grep({ ...query, path: inside(query.path) });
      const found = await searchLayers(layers, { path: inside(query.path), pattern: query.glob }, search);
      const matches = [...found.own.flatMap((part) => part.matches), ...found.installed.flatMap(installedMatches)];
      const truncated = isTruncated(found) || matches.length > query.limit;
      return { matches: matches.sort(compareMatches).slice(0, query.limit), truncated };
    },
    async installedSkills() {
      const names = await visibleNames(layers);
      const shown = installed.skills.filter(({ name }) => names.has(name));
      return shown.map(({ name, description }) => ({ name, description, path: `/${FOLDER}/${name}/SKILL.md` }));
    },
    ...(execute && {
      execute: async (command: string, options: CommandOptions) => {
        const names = await visibleNames(layers);
        if (names.size === 0) return execute(command, options);
        return execute(command, { ...options, skillsFolder: await installed.materialize(names) });
      },
    }),
  };
}

/** `/skills/…`, as searches return the files of installed skills, is the same as `skills/…`. */
function inside(path: string): string {
  return path.startsWith("/") ? path.slice(1) : path;
}

function isUnderFolder(path: string): boolean {
  return path === FOLDER || path.startsWith(`${FOLDER}/`);
}

/** The installed skills not hidden by the workspace's own; none if that can't be determined. */
async function visibleNames({ own, installed }: Layers): Promise<ReadonlySet<string>> {
  const names = installed.skills.map(({ name }) => name);
  const folder = await own.stat(FOLDER);
  if (folder === null) return new Set(names);
  if (folder.type !== "dir") return new Set();
  const entries = await ifThere(own.list(FOLDER), ["not_found", "failed"]);
  if (entries === null) return new Set();
  const taken = new Set(entries.map(({ name }) => name));
  if (entries.omitted === undefined) return new Set(names.filter((name) => !taken.has(name)));
  const found = await Promise.all(names.map((name) => own.stat(`${FOLDER}/${name}`)));
  return new Set(names.filter((_, at) => found[at] === null));
}

/** A workspace that contains only the visible skills; null if there are none. */
async function openInstalled(layers: Layers): Promise<{ workspace: Workspace; names: ReadonlySet<string> } | null> {
  const names = await visibleNames(layers);
  if (names.size === 0) return null;
  const { files } = layers.installed;
  const isVisible = ({ path }: { path: string }) => names.has(path.split("/")[1] ?? "");
  const store: StateFileStore = {
    ...files,
    list: async (folder) => (await files.list(folder)).filter(isVisible),
    find: async (paths) => (await files.find(paths)).filter(isVisible),
  };
  return { workspace: createStateWorkspace(store), names };
}

/** The layer to read `path` from: the installed skills for paths inside a visible one. */
async function layerOf(layers: Layers, path: string): Promise<Workspace> {
  const name = path.startsWith(`${FOLDER}/`) ? path.split("/")[1] : undefined;
  if (name === undefined || !layers.installed.skills.some((skill) => skill.name === name)) return layers.own;
  const installed = await openInstalled(layers);
  return installed?.names.has(name) ? installed.workspace : layers.own;
}

async function list(layers: Layers, path: string): Promise<WorkspaceListing> {
  if (path === "") return withEntries(await layers.own.list(""), await folderEntry(layers));
  if (path !== FOLDER) return (await layerOf(layers, path)).list(path);
  const installed = await openInstalled(layers);
  if (installed === null) return layers.own.list(path);
  const own = await ifThere(layers.own.list(path));
  return withEntries(own ?? [], await installed.workspace.list(path));
}

async function stat(layers: Layers, path: string): Promise<WorkspaceEntry | null> {
  const entry = await (await layerOf(layers, path)).stat(path);
  return entry ?? (path === FOLDER ? ((await folderEntry(layers))[0] ?? null) : null);
}

/** An entry for the folder of the installed skills, if the workspace has no such folder itself. */
async function folderEntry(layers: Layers): Promise<WorkspaceEntry[]> {
  if ((await layers.own.stat(FOLDER)) !== null || layers.installed.skills.length === 0) return [];
  return [{ name: FOLDER, type: "dir", size: 0 }];
}

function withEntries(listing: WorkspaceListing, added: readonly WorkspaceEntry[]): WorkspaceListing {
  const entries = [...listing, ...added].sort((left, right) => compareNames(left.name, right.name));
  const omitted = (listing.omitted ?? 0) + Math.max(0, entries.length - MAX_LISTED_ENTRIES);
  return omitted > 0 ? Object.assign(entries.slice(0, MAX_LISTED_ENTRIES), { omitted }) : entries;
}

async function refuseChange(layers: Layers, path: string): Promise<void> {
  if (!isUnderFolder(path)) return;
  if (path === FOLDER) {
    if ((await folderEntry(layers)).length === 0) return;
    throw new WorkspaceError("not_a_file", `${FOLDER} is the folder of the installed skills, which are read-only.`);
  }
  if ((await layerOf(layers, path)) === layers.own) return;
  const name = path.split("/")[1] ?? "";
  const message = `${FOLDER}/${name} is an installed skill and read-only. Write elsewhere, such as ${FOLDER}/my-${name}.`;
  throw new WorkspaceError("read_only", message);
}

/** The results of a search per layer; a layer without anything at the path is omitted. */
interface Found<Result> {
  readonly own: readonly Result[];
  readonly installed: readonly Result[];
}

async function searchLayers<Result>(
  layers: Layers,
  { path, pattern }: { path: string; pattern: string | undefined },
  search: (layer: Workspace) => Promise<Result>,
): Promise<Found<Result>> {
  const isNamed = isUnderFolder(path) || (path === "" && isUnderFolder(compileGlob(pattern ?? "*").base));
  if (!isNamed) return { own: [await search(layers.own)], installed: [] };
  const layer = await layerOf(layers, path);
  if (layer !== layers.own) return { own: [], installed: [await search(layer)] };
  const isBelow = path !== "" && path !== FOLDER;
  const installed = isBelow ? null : await openInstalled(layers);
  if (installed === null) return { own: [await search(layers.own)], installed: [] };
  const own = await ifThere(search(layers.own));
  return { own: own === null ? [] : [own], installed: [await search(installed.workspace)] };
}

/** Null if the workspace's own folder is missing; the installed skills still exist. */
async function ifThere<Result>(
  result: Promise<Result>,
  missing: readonly WorkspaceError["code"][] = ["not_found"],
): Promise<Result | null> {
  try {
    return await result;
  } catch (error) {
    if (error instanceof WorkspaceError && missing.includes(error.code)) return null;
    throw error;
  }
}

function installedFiles({ files }: { files: string[] }): string[] {
  return files.map((file) => `/${file}`);
}

function installedMatches({ matches }: { matches: GrepMatch[] }): GrepMatch[] {
  return matches.map((match) => ({ ...match, file: `/${match.file}` }));
}

function isTruncated(found: Found<{ readonly truncated: boolean }>): boolean {
  return [...found.own, ...found.installed].some((part) => part.truncated);
}

function compareFound(left: string, right: string): number {
  return comparePaths(inside(left), inside(right));
}

function compareMatches(left: GrepMatch, right: GrepMatch): number {
  return compareFound(left.file, right.file) || left.line - right.line;
}

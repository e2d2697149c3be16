// Runs in plain Node: the start script imports it before Next, whose bundler would rewrite the dynamic import.
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, realpathSync } from "node:fs";
import { registerHooks } from "node:module";
import path from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import type { Extension } from "@/lib/sdk/ringmaster";
import type { ExtensionProblem, LoadExtensions, LoadedExtension } from "./loaded-extension";

const TIME_LIMIT_MS = 30_000;
const HASH_LENGTH = 12;
const SDK = findSdk(import.meta.dirname);
/** This file is a source in a clone and built in a release; so are they. */
const EXTENSION = path.extname(import.meta.filename);
const SDK_MODULES: Readonly<Record<string, string>> = {
  ringmaster: pathToFileURL(path.join(SDK, `ringmaster${EXTENSION}`)).href,
  "ringmaster/testing": pathToFileURL(path.join(SDK, `testing${EXTENSION}`)).href,
};
/** Part of the URL of every module of an extension, so that each version is a separate module. */
const VERSION = "extension";

/** Findings from resolving the modules of one version of an extension. */
interface Import {
  readonly files: Set<string>;
  /** An import that can't be resolved. */
  missing: { readonly specifier: string; readonly by: string } | null;
}

interface Entry {
  readonly file: string;
  readonly path: string;
  /** The extension's folder, if it is one. */
  readonly folder: string | null;
}

interface Known extends LoadedExtension {
  readonly imported: ReadonlySet<string>;
}

function findSdk(folder: string): string {
  const sdk = path.join(folder, "lib", "sdk");
  return existsSync(sdk) ? sdk : findSdk(path.dirname(folder));
}

/** Lets every module import "ringmaster", wherever it is. Used by tests of extensions too. */
export function registerRingmaster(): void {
  registerHooks({
    resolve(specifier, context, nextResolve) {
      const url = SDK_MODULES[specifier];
      return nextResolve(url ?? specifier, context);
    },
  });
}

/**
 * Loads the extensions of a folder with Node's own loader, which strips the types. Each call scans the folder again;
 * unchanged extensions are not reloaded. A file that fails to load is listed with its problem.
 */
export function createExtensionLoader(
  directory: string,
  importModule: (url: string) => Promise<unknown> = (url) => import(url),
): LoadExtensions {
  const imports = new Map<string, Import>();
  let known = new Map<string, Known>();
  let attempts = 0;
  let isReady = false;
  /** Only with the first extension: from then on Node resolves every module of this process more slowly. */
  const makeReady = () => {
    if (isReady) return;
    isReady = true;
    registerRingmaster();
    watchImports(directory, imports);
  };

  async function loadEntry(entry: Entry): Promise<Known> {
    const before = known.get(entry.file);
    const hash = hashFiles(filesOf(entry, before?.imported ?? new Set()));
    if (before && before.error === null && before.hash === hash) return before;
    const version = `${hash}.${++attempts}`;
    const imported: Import = { files: new Set(), missing: null };
    imports.set(version, imported);
    const url = `${pathToFileURL(entry.path).href}?${VERSION}=${version}`;
    const [definitions, error] = await withTimeLimit(importModule(url))
      .then((module): [readonly Extension[], null] => [readDefault(module), null])
      .catch((cause: unknown): [readonly Extension[], ExtensionProblem] => [[], describe(cause, entry, imported)]);
    const { files } = imported;
    const loaded = { file: entry.file, hash: hashFiles(filesOf(entry, files)), definitions, error, imported: files };
    return error === null ? loaded : { ...loaded, intendedNames: namesIn(entry.path) };
  }

  const load = async () => {
    const loaded = new Map<string, Known>();
    const entries = listEntries(directory);
    if (entries.length > 0) makeReady();
    for (const entry of entries) loaded.set(entry.file, await loadEntry(entry));
    known = loaded;
    return [...loaded.values()].map(({ imported: _, ...extension }) => extension);
  };
  return Object.assign(load, { directory });
}

/** The names that a file's text seems to define; a file that fails to load can't be asked for its definitions. */
function namesIn(file: string): string[] {
  const found = readFileSync(file, "utf8").matchAll(/\bname:\s*["'`]([a-zA-Z][\w-]*)["'`]/g);
  return [...found].map(([, name = ""]) => name);
}

/** Adds the version to modules that an extension imports from its folder, and records them. */
function watchImports(directory: string, imports: ReadonlyMap<string, Import>): void {
  registerHooks({
    resolve(specifier, context, nextResolve) {
      const parent = context.parentURL ?? "";
      const version = parent.includes(`?${VERSION}=`) ? (new URL(parent).searchParams.get(VERSION) ?? "") : "";
      const found = imports.get(version);
      if (!found) return nextResolve(specifier, context);
      const resolved = noteMissing(found, { specifier, by: parent }, () => nextResolve(specifier, context));
      const url = withVersion(resolved.url, version, directory);
      if (url) found.files.add(fileURLToPath(url));
      return url ? { ...resolved, url: url.href } : resolved;
    },
  });
}

function noteMissing<Resolved>(found: Import, missing: NonNullable<Import["missing"]>, resolve: () => Resolved) {
  try {
    return resolve();
  } catch (error) {
    found.missing ??= missing;
    const { specifier, by } = missing;
    // If the file appears later, the extension counts as changed.
    if (specifier.startsWith(".")) found.files.add(fileURLToPath(new URL(specifier, by)));
    throw error;
  }
}

/** The versioned address of a module in the folder; null for all others. */
function withVersion(address: string, version: string, directory: string): URL | null {
  const url = new URL(address);
  if (url.protocol !== "file:" || !isBelow(fileURLToPath(url), directory)) return null;
  url.searchParams.set(VERSION, version);
  return url;
}

function listEntries(directory: string): Entry[] {
  if (!existsSync(directory)) return [];
  const root = realpathSync(directory);
  return readdirSync(root, { withFileTypes: true })
    .toSorted((left, right) => left.name.localeCompare(right.name))
    .flatMap((item): Entry[] => {
      const { name } = item;
      const itemPath = path.join(root, name);
      if (name.startsWith(".") || name === "node_modules") return [];
      if (item.isFile()) return isSource(name) ? [{ file: name, path: itemPath, folder: null }] : [];
      const index = path.join(itemPath, "index.ts");
      return existsSync(index) ? [{ file: `${name}/index.ts`, path: index, folder: itemPath }] : [];
    });
}

function isSource(name: string): boolean {
  return name.endsWith(".ts") && !name.endsWith(".test.ts") && !name.endsWith(".d.ts");
}

function isBelow(file: string, directory: string): boolean {
  const root = existsSync(directory) ? realpathSync(directory) : directory;
  const relative = path.relative(root, file);
  return !relative.startsWith("..") && !path.isAbsolute(relative) && !relative.split(path.sep).includes("node_modules");
}

function filesOf({ path: entryPath, folder }: Entry, imported: ReadonlySet<string>): string[] {
  return [...new Set([entryPath, ...(folder === null ? [] : walk(folder)), ...imported])].toSorted();
}

function walk(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((item) => {
    if (item.name.startsWith(".") || item.name === "node_modules" || item.name.endsWith(".test.ts")) return [];
    const itemPath = path.join(folder, item.name);
    if (item.isDirectory()) return walk(itemPath);
    return item.isFile() ? [itemPath] : [];
  });
}

function hashFiles(files: readonly string[]): string {
  const hash = createHash("sha256");
  for (const file of files) {
    const content = existsSync(file) ? readFileSync(file) : Buffer.from("missing");
    hash.update(`${path.basename(file)}\0${content.length}\0`).update(content);
  }
  return hash.digest("hex").slice(0, HASH_LENGTH);
}

async function withTimeLimit<Value>(work: Promise<Value>): Promise<Value> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    const message = `It did not finish loading within ${TIME_LIMIT_MS / 1_000} s. Move slow work into a hook's phases.`;
    timer = setTimeout(() => reject(new Error(message)), TIME_LIMIT_MS);
  });
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
}

const NO_EXTENSION =
  "The default export must be what defineHook, defineTool or definePromptSection returns, or a list of those.";

function readDefault(module: unknown): readonly Extension[] {
  const exported = (module as { readonly default?: unknown }).default;
  const list: readonly unknown[] = Array.isArray(exported) ? exported : [exported];
  if (list.length === 0 || !list.every(isExtension)) throw new TypeError(NO_EXTENSION);
  return list;
}

function isExtension(value: unknown): value is Extension {
  if (typeof value !== "object" || value === null || !("kind" in value) || !("name" in value)) return false;
  return typeof value.name === "string" && ["hook", "tool", "section"].includes(String(value.kind));
}

/** The problem in its author's terms: the first line within the extensions folder in the stack. */
function describe(error: unknown, entry: Entry, { missing }: Import): ExtensionProblem {
  const message = error instanceof Error ? error.message : String(error);
  if (missing && error instanceof Error && "code" in error && error.code === "ERR_MODULE_NOT_FOUND") {
    const importer = fileURLToPath(missing.by);
    const lines = readFileSync(importer, "utf8").split("\n");
    const at = lines.findIndex((line) => line.includes(missing.specifier));
    return placed(`Cannot find ${JSON.stringify(missing.specifier)}.`, entry, importer, at < 0 ? null : at + 1);
  }
  const place = findPlace(error, entry);
  return place ? placed(message, entry, place.file, place.line) : { message, line: null };
}

function placed(message: string, entry: Entry, file: string, line: number | null): ExtensionProblem {
  if (file === entry.path) return { message, line };
  return { message: `${path.relative(path.dirname(entry.path), file)}: ${message}`, line };
}

/** Node writes `/path:3` above a syntax error and `(file:///path?…:3:22)` in a stack's frames. */
function findPlace(error: unknown, entry: Entry): { file: string; line: number } | null {
  const stack = error instanceof Error ? (error.stack ?? "") : "";
  const root = entry.folder === null ? path.dirname(entry.path) : path.dirname(entry.folder);
  for (const text of stack.split("\n")) {
    const found = /(?:^|[\s(])(file:\/\/\/[^\s?(]+|\/[^\s?:(]+)(?:\?[^\s:(]*)?:(\d+)/.exec(text);
    const [, place = "", line = ""] = found ?? [];
    const file = place.startsWith("file:") ? fileURLToPath(place) : place;
    if (found && isBelow(file, root)) return { file, line: Number(line) };
  }
  return null;
}

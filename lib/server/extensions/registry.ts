import { PROMPT_SECTION_NAMES } from "@/lib/schema/agents/prompt-section";
import type { ExtensionKind } from "@/lib/schema/extension";
import type { Extension } from "@/lib/sdk/ringmaster";
import { builtinToolInfos } from "@/lib/tools/builtin-tools";
import type { LoadedExtension } from "./loaded-extension";

type Definition<Kind extends ExtensionKind> = Extract<Extension, { readonly kind: Kind }>;

/** A definition with its source. */
export interface Registered<Kind extends ExtensionKind> {
  readonly definition: Definition<Kind>;
  readonly file: string;
  readonly hash: string;
}

/** Every extension of this process by name. */
export interface ExtensionRegistry {
  readonly files: readonly LoadedExtension[];
  readonly hooks: ReadonlyMap<string, Registered<"hook">>;
  readonly tools: ReadonlyMap<string, Registered<"tool">>;
  readonly sections: ReadonlyMap<string, Registered<"section">>;
  /** The files that could not be loaded, by the names that agents may know them by. */
  readonly failed: ReadonlyMap<string, LoadedExtension>;
  /** Names once known to this process whose file has been removed, with that file. */
  readonly removed: ReadonlyMap<string, string>;
}

export const NO_EXTENSIONS: ExtensionRegistry = {
  files: [],
  hooks: new Map(),
  tools: new Map(),
  sections: new Map(),
  failed: new Map(),
  removed: new Map(),
};

const NOUNS = { hook: "hook", tool: "tool", section: "prompt section" } as const;

/**
 * Indexes loaded extensions. A file whose names are taken, by built-ins or by an earlier file, is refused as a whole.
 * `before` is the previous registry: a file that fails now keeps its earlier names.
 */
export function registerExtensions(
  loaded: readonly LoadedExtension[],
  builtinHooks: readonly string[],
  before: ExtensionRegistry,
): ExtensionRegistry {
  const taken = {
    hook: new Map(builtinHooks.map((name) => [name, "built in"])),
    tool: new Map(builtinToolInfos().map(({ name }) => [name, "built in"])),
    section: new Map<string, string>(PROMPT_SECTION_NAMES.map((name) => [name, "built in"])),
  };
  const files = loaded.map((extension): LoadedExtension => {
    const clash = extension.definitions.find(
      ({ kind, name }, index) =>
        taken[kind].has(name) ||
        extension.definitions.slice(0, index).some((other) => other.kind === kind && other.name === name),
    );
    if (clash) return refuse(extension, clash, taken[clash.kind].get(clash.name));
    for (const { kind, name } of extension.definitions) taken[kind].set(name, extension.file);
    return extension;
  });
  return {
    files,
    hooks: new Map(registered(files, "hook")),
    tools: new Map(registered(files, "tool")),
    sections: new Map(registered(files, "section")),
    failed: new Map(
      files
        .filter(({ error }) => error !== null)
        .flatMap((extension) => knownNames(extension, before).map((name) => [name, extension] as const)),
    ),
    removed: new Map(
      [...before.removed, ...namesByFile(before)].filter(
        ([, file]) => !files.some((extension) => extension.file === file),
      ),
    ),
  };
}

function refuse(extension: LoadedExtension, { kind, name }: Extension, owner: string | undefined): LoadedExtension {
  const place =
    owner === undefined ? "twice in this file" : owner === "built in" ? "already, built in" : `in ${owner} already`;
  const message = `There is a ${NOUNS[kind]} named ${JSON.stringify(name)} ${place}. Give one of them another name.`;
  const intendedNames = extension.definitions.map((definition) => definition.name);
  return { ...extension, definitions: [], error: { message, line: null }, intendedNames };
}

function registered<Kind extends ExtensionKind>(files: readonly LoadedExtension[], kind: Kind) {
  return files.flatMap(({ file, hash, definitions }) =>
    definitions
      .filter((definition): definition is Definition<Kind> => definition.kind === kind)
      .map((definition): [string, Registered<Kind>] => [definition.name, { definition, file, hash }]),
  );
}

/** The names the file defined when it last loaded, the names in its text now, and its own name. */
function knownNames({ file, intendedNames = [] }: LoadedExtension, before: ExtensionRegistry): string[] {
  const earlier = namesByFile(before).flatMap(([name, owner]) => (owner === file ? [name] : []));
  return [file.replace(/(\/index)?\.ts$/, ""), ...intendedNames, ...earlier];
}

/** Every name with the file that defines it, or did before it failed. */
function namesByFile({ files, failed }: ExtensionRegistry): (readonly [name: string, file: string])[] {
  const defined = files.flatMap(({ file, definitions }) => definitions.map(({ name }) => [name, file] as const));
  return [...defined, ...[...failed].map(([name, { file }]) => [name, file] as const)];
}

/** Why a name used by an agent is missing, and what to do; null if no extension ever had it. */
export function explainMissing(name: string, { failed, removed }: ExtensionRegistry): string | null {
  const extension = failed.get(name);
  const file = removed.get(name);
  if (!extension?.error) {
    if (file === undefined) return null;
    return `The extension ${file} is not in the extensions folder any more. Put it back and reload the extensions, or change the agent.`;
  }
  const { message, line } = extension.error;
  const place = line === null ? "" : ` in line ${line}`;
  return `The extension ${extension.file} could not be loaded: ${message.replace(/\.$/, "")}${place}. Fix the file and reload the extensions.`;
}

import type { Extension } from "@/lib/sdk/ringmaster";

/** What is wrong with an extension. `line` is null when the problem has none. */
export interface ExtensionProblem {
  readonly message: string;
  readonly line: number | null;
}

/**
 * One file or folder of the extensions folder as it was loaded. It comes from Node's own loader into the bundled
 * server, which has its own copy of every module: only its structure counts, never `instanceof`.
 */
export interface LoadedExtension {
  /** Relative to the extensions folder: `name.ts`, or `name/index.ts`. */
  readonly file: string;
  /** Of the content of the file, of those that it imports, and of its folder. */
  readonly hash: string;
  readonly definitions: readonly Extension[];
  readonly error: ExtensionProblem | null;
  /** Of a file that failed: the names that it seems to define, so that the agents that need it can be told. */
  readonly intendedNames?: readonly string[];
}

/** Looks at the extensions folder again and loads what is new or has changed. */
export interface LoadExtensions {
  (): Promise<readonly LoadedExtension[]>;
  /** The extensions folder. */
  readonly directory: string;
}

/** The name under which the start script puts its `LoadExtensions` into the process's state. */
export const EXTENSION_LOADER = "extension-loader";

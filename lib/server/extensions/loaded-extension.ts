import type { Extension } from "@/lib/sdk/ringmaster";

/** A problem with an extension. `line` is null if the problem has none. */
export interface ExtensionProblem {
  readonly message: string;
  readonly line: number | null;
}

/**
 * One file or folder of the extensions folder, as loaded. It comes from Node's own loader into the bundled server,
 * which has its own copy of every module: only its structure is checked, never `instanceof`.
 */
export interface LoadedExtension {
  /** Relative to the extensions folder: `name.ts`, or `name/index.ts`. */
  readonly file: string;
  /** The hash of the file, of the files it imports, and of its folder. */
  readonly hash: string;
  readonly definitions: readonly Extension[];
  readonly error: ExtensionProblem | null;
  /** For a file that failed: the names it seems to define, so that the agents that need it can be told. */
  readonly intendedNames?: readonly string[];
}

/** Rescans the extensions folder and loads what is new or has changed. */
export interface LoadExtensions {
  (): Promise<readonly LoadedExtension[]>;
  /** The extensions folder. */
  readonly directory: string;
}

/** The key under which the start script stores its `LoadExtensions` in the process's state. */
export const EXTENSION_LOADER = "extension-loader";

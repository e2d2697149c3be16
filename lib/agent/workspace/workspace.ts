import type { ErrorCode } from "@/lib/schema/app-error";
import { SharedError } from "@/lib/schema/shared-error";

/** An entry of a folder. `size` is in bytes, 0 for folders and links. */
export interface WorkspaceEntry {
  readonly name: string;
  readonly type: "file" | "dir" | "link";
  readonly size: number;
}

/** A folder's entries by name. `omitted` counts the entries beyond MAX_LISTED_ENTRIES; absent if none. */
export type WorkspaceListing = WorkspaceEntry[] & { readonly omitted?: number };

/** How many entries of a folder are listed. */
export const MAX_LISTED_ENTRIES = 1_000;

export interface GrepMatch {
  readonly file: string;
  readonly line: number;
  readonly text: string;
}

export interface GrepQuery {
  /** A regular expression in RE2 / ripgrep syntax; never run by JavaScript's own engine. */
  readonly pattern: string;
  readonly path: string;
  /** Only files whose path matches. */
  readonly glob?: string;
  readonly caseSensitive: boolean;
  readonly limit: number;
  /** Absent: all files. The others are not searched. */
  readonly isShown?: (path: string) => boolean;
}

export interface CommandOptions {
  readonly timeoutMs: number;
  readonly maxOutputBytes: number;
  readonly signal: AbortSignal;
  /** A folder on this machine that the command sees read-only at `/skills`; only with a sandbox. */
  readonly skillsFolder?: string;
}

/** An installed skill that a workspace exposes at `/skills/<name>`; `path` is that of its SKILL.md. */
interface InstalledSkill {
  readonly name: string;
  readonly description: string;
  readonly path: string;
}

/** `output` is stdout and stderr, interleaved as they arrived; `stopped` says why the command was ended early. */
export interface CommandResult {
  readonly exitCode: number | null;
  readonly output: string;
  readonly truncated: boolean;
  readonly durationMs: number;
  readonly stopped?: "timeout" | "cancelled" | "output limit" | "memory limit" | "quota" | "disk full";
  /** A notice for the model besides the output, such as that the workspace is full. */
  readonly notice?: string;
}

/** File paths. `present` lists all existing files; null if there are too many. */
export interface WorkspaceChanges {
  readonly changed: readonly string[];
  readonly present: ReadonlySet<string> | null;
}

/**
 * The files an agent works on and, with a sandbox, its commands. One interface, one contract suite. Every path is
 * relative to the root and already normalised by `normalizePath`; "" is the root. Only files of installed skills are
 * also found at `/skills/…`, because commands see them there; both spellings are accepted. Methods throw WorkspaceError
 * with a message that the model or a person can act on.
 */
export interface Workspace {
  readonly type: "state" | "local";
  list(path: string): Promise<WorkspaceListing>;
  /** The entry itself, or null if nothing is there. Never follows a link. */
  stat(path: string): Promise<WorkspaceEntry | null>;
  /** At most `maxBytes` from the start; `sizeBytes` is the whole file's size. */
  read(path: string, maxBytes: number): Promise<{ bytes: Uint8Array; sizeBytes: number }>;
  /** Creates or replaces the file in one step, with its parent folders. A link at `path` is replaced, not followed. */
  write(path: string, bytes: Uint8Array): Promise<void>;
  /** Creates the folder and its missing parents. Absent if folders exist only as part of file paths. */
  readonly makeFolder?: (path: string) => Promise<void>;
  /** Removes a file or an empty folder. */
  remove(path: string): Promise<void>;
  /**
   * Paths of files, sorted; dot folders, node_modules and the like are skipped unless `path`, or the folders at the
   * start of `pattern`, name them. A pattern without a slash matches the file name at any depth, one with a slash the
   * path below `path`. Files that are not `isShown` are not counted.
   */
  glob(
    pattern: string,
    path: string,
    limit: number,
    isShown?: (path: string) => boolean,
  ): Promise<{ files: string[]; truncated: boolean }>;
  grep(query: GrepQuery): Promise<{ matches: GrepMatch[]; truncated: boolean }>;
  /** The installed skills in the workspace, by name; absent if it can't have any. */
  readonly installedSkills?: () => Promise<InstalledSkill[]>;
  /** Whether searches leave out files that the agent may not read. */
  readonly isPartlyHidden?: true;
  /** Whether commands are isolated from the rest of the machine. */
  readonly isSandboxed?: boolean;
  /** Files created or changed since then (Unix ms); absent if only the file tools change files. */
  readonly changedSince?: (sinceMs: number) => Promise<WorkspaceChanges>;
  /** Absent if commands cannot run. */
  readonly execute?: (command: string, options: CommandOptions) => Promise<CommandResult>;
}

/** The HTTP error code for each kind of workspace refusal. */
const CALLER_CODES = {
  not_found: "not_found",
  invalid_path: "invalid_input",
  invalid_pattern: "invalid_input",
  not_a_file: "invalid_input",
  not_a_folder: "invalid_input",
  too_large: "payload_too_large",
  read_only: "invalid_input",
  quota: "invalid_input",
  failed: "internal",
} as const satisfies Readonly<Record<string, ErrorCode>>;

type WorkspaceErrorCode = keyof typeof CALLER_CODES;

/** A refusal or failure of a workspace, described for the model. */
export class WorkspaceError extends SharedError {
  static override readonly kind = "WorkspaceError";

  readonly code: WorkspaceErrorCode;

  constructor(code: WorkspaceErrorCode, message: string) {
    super(message);
    this.code = code;
  }

  /** Read by `callerCodeOf`. */
  get callerCode(): ErrorCode {
    return CALLER_CODES[this.code];
  }
}

/** The maximum length of a path as written. */
export const MAX_PATH_CHARS = 1_024;
/** The depth limit of searches. */
const MAX_PATH_PARTS = 64;

/**
 * Resolves `path` to the path under the root: relative, `/…` and `<workdir>/…` are the same file (docs/guide/tools.md).
 * Throws WorkspaceError for `..`, NUL, control characters, lone surrogates and names over 255 bytes.
 */
export function normalizePath(path: string, workdir: string): string {
  if (/\p{Cc}/u.test(path) || !path.isWellFormed()) {
    throw new WorkspaceError("invalid_path", "The path has a control character, or half of a character.");
  }
  if (path.length > MAX_PATH_CHARS) {
    const most = MAX_PATH_CHARS.toLocaleString("en-US");
    throw new WorkspaceError("invalid_path", `The path is longer than ${most} characters. Choose a shorter one.`);
  }
  const inside = path === workdir || path.startsWith(`${workdir}/`) ? path.slice(workdir.length) : path;
  const parts = inside.split("/").filter((part) => part !== "" && part !== ".");
  if (parts.includes("..")) throw new WorkspaceError("invalid_path", 'A path must not contain "..".');
  if (parts.length > MAX_PATH_PARTS) {
    const message = `The path has more than ${MAX_PATH_PARTS} folders inside each other. Choose a flatter one.`;
    throw new WorkspaceError("invalid_path", message);
  }
  const encoder = new TextEncoder();
  if (parts.some((part) => encoder.encode(part).length > 255)) {
    throw new WorkspaceError("invalid_path", "A name in the path is longer than 255 bytes.");
  }
  return parts.join("/");
}

/** The origin of a file change, as recorded. `before` is null for a new file, `after` for a deleted one. */
export interface FileChange {
  readonly path: string;
  readonly before: Uint8Array | null;
  readonly after: Uint8Array | null;
  /** Where `before` does not say what was there: the hash of its content, or that it is unknown. */
  readonly was?: string;
  readonly toolCallId?: string;
  readonly spanId?: string;
  /** The model call whose tool made the change. */
  readonly step?: number;
}

/** A recorded change that was found after a command. */
export interface FoundChange {
  readonly path: string;
  readonly operation: "created" | "changed" | "deleted";
  readonly version: number;
  readonly addedLines: number;
  readonly removedLines: number;
}

/** The files to compare with their last known versions. */
export interface FoundFiles {
  readonly files: readonly { readonly path: string; readonly bytes: Uint8Array }[];
  /** Whether a file that has a version no longer exists. */
  isGone(path: string): Promise<boolean>;
  readonly toolCallId?: string;
  readonly spanId?: string;
  readonly step?: number;
}

/** Keeps the versions of files that tools write (D-16, D-64). */
export interface FileHistory {
  /** Records every file that differs from its last known version, and every known file that was deleted. */
  recordFound?(found: FoundFiles): Promise<FoundChange[]>;
  record(change: FileChange): Promise<{ version: number; addedLines: number; removedLines: number }>;
  /** Records a version "from outside" of each file whose content differs from its last known version (D-64). */
  observe?(files: readonly { readonly path: string; readonly bytes: Uint8Array }[]): Promise<void>;
}

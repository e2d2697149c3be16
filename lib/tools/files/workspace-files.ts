import type { ToolExecution } from "@/lib/agent/tools/tool";
import { normalizePath, type Workspace, WorkspaceError } from "@/lib/agent/workspace/workspace";

/** A file written by a tool, with the bytes before (null: the file is new) and after. */
export interface WrittenFile {
  readonly path: string;
  readonly before: Uint8Array | null;
  readonly after: Uint8Array;
}

/** Runs `work` under the lock of the path. */
export type FileLock = <Result>(path: string, work: () => Promise<Result>) => Promise<Result>;

/** Reads a workspace file that may be a document. */
export type ReadDocument = (
  file: { readonly path: string; readonly bytes: Uint8Array },
  signal: AbortSignal,
) => Promise<string | null>;

/** The state shared by the file tools of one run: the workspace, and the callbacks for changes. */
export interface WorkspaceFiles {
  readonly workspace: Workspace;
  /** Resolves a model's path to the path under the root (docs/guide/tools.md). */
  resolve(path: string): string;
  /** The same for a file: refuses the root itself. */
  resolveFile(path: string): string;
  /** Makes a glob relative to the root; a leading workdir is dropped, as for paths (docs/guide/tools.md). */
  resolveGlob(pattern: string): string;
  /** A lock per path, so that two edits in one reply can't overwrite each other. */
  readonly exclusive: FileLock;
  /** The file's bytes, or null if there is no file. */
  current(path: string): Promise<Uint8Array | null>;
  /**
   * The text of a PDF, Word or Excel file; null for any other file. Throws an error whose message says why it can't be
   * read. Absent if documents can't be read.
   */
  readonly readDocument?: ReadDocument;
  /** A notice for the model about a file it has overwritten, such as that most of a memory document was lost. */
  noticeOf?(file: WrittenFile): string;
  /** Called after every command, with its start time, so that the files it changed get versions too. */
  ranCommand?(sinceMs: number, execution: ToolExecution): Promise<void>;
  /** Called after every write. */
  written(file: WrittenFile, execution: ToolExecution): Promise<void>;
}

/** The largest file that a tool edits, or compares with its replacement. */
const MAX_FILE_BYTES = 10 * 2 ** 20;

export function workspaceFiles(
  workspace: Workspace,
  workdir: string,
  written: WorkspaceFiles["written"],
  exclusive: FileLock = oneAtATime(),
): WorkspaceFiles {
  const resolve = (path: string) => normalizePath(path, workdir);
  return {
    workspace,
    written,
    resolve,
    exclusive,
    resolveGlob: (pattern) => (pattern.startsWith(`${workdir}/`) ? pattern.slice(workdir.length) : pattern),
    resolveFile(path) {
      const resolved = resolve(path);
      if (resolved === "")
        throw new WorkspaceError("not_a_file", `${JSON.stringify(path)} is the workspace's root folder. Name a file.`);
      return resolved;
    },
    async current(path) {
      if ((await workspace.stat(path))?.type !== "file") return null;
      const { bytes, sizeBytes } = await workspace.read(path, MAX_FILE_BYTES);
      if (sizeBytes <= MAX_FILE_BYTES) return bytes;
      const message = `${path} has ${sizeBytes} bytes, too many for the file tools. Change it with a command, or write another file.`;
      throw new WorkspaceError("too_large", message);
    },
  };
}

/** Tells the model that a search was not of all files; says the same whatever was left out. */
export function hiddenNote({ workspace }: Pick<WorkspaceFiles, "workspace">): { readonly note?: string } {
  return workspace.isPartlyHidden ? { note: "Files that your rules keep from you are left out." } : {};
}

/** Serialises all writes: sufficient for a run that does not share its workspace. */
function oneAtATime(): FileLock {
  let last: Promise<unknown> = Promise.resolve();
  return (_path, work) => {
    const turn = last.then(work, work);
    last = turn;
    return turn;
  };
}

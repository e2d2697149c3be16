import type { ToolExecution } from "@/lib/agent/tools/tool";
import { normalizePath, type Workspace, WorkspaceError } from "@/lib/agent/workspace/workspace";

/** A file that a tool has written, with the bytes before (null: there was none) and after. */
export interface WrittenFile {
  readonly path: string;
  readonly before: Uint8Array | null;
  readonly after: Uint8Array;
}

/** Runs `work` when nobody else is working on the same path. */
export type FileLock = <Result>(path: string, work: () => Promise<Result>) => Promise<Result>;

/** A file of the workspace that may be a document. */
export type ReadDocument = (
  file: { readonly path: string; readonly bytes: Uint8Array },
  signal: AbortSignal,
) => Promise<string | null>;

/** What the file tools of one run share: the workspace, and who is notified of changes. */
export interface WorkspaceFiles {
  readonly workspace: Workspace;
  /** The path under the root that a model's path names (docs/guide/tools.md). */
  resolve(path: string): string;
  /** The same for a file: the root itself is refused. */
  resolveFile(path: string): string;
  /** A glob below the root; one that begins with the workdir, as paths may (docs/guide/tools.md), is the same without it. */
  resolveGlob(pattern: string): string;
  /** One at a time per path, so that two edits of one reply can't lose each other. */
  readonly exclusive: FileLock;
  /** The file's bytes, or null when there is no file. */
  current(path: string): Promise<Uint8Array | null>;
  /**
   * The text of a PDF, Word or Excel file; null for every other one. Throws an error whose message says why it is not
   * read. Absent where documents can't be read.
   */
  readonly readDocument?: ReadDocument;
  /** What the model should know about a file it has replaced, such as that most of a memory document is gone. */
  noticeOf?(file: WrittenFile): string;
  /** To be called after every command, with the time at which it began: what it has changed gets versions too. */
  ranCommand?(sinceMs: number, execution: ToolExecution): Promise<void>;
  /** To be called after every write. */
  written(file: WrittenFile, execution: ToolExecution): Promise<void>;
}

/** The largest file that a tool edits, or compares with what it replaces. */
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

/** One write at a time: enough for a run that shares its workspace with nobody. */
function oneAtATime(): FileLock {
  let last: Promise<unknown> = Promise.resolve();
  return (_path, work) => {
    const turn = last.then(work, work);
    last = turn;
    return turn;
  };
}

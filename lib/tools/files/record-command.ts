import { messageOf } from "@/lib/agent/hooks/hook-chain";
import type { ToolExecution } from "@/lib/agent/tools/tool";
import { currentToolSpan } from "@/lib/agent/tracing/current-spans";
import { decodeOrNull } from "@/lib/agent/workspace/file-text";
import { type FileHistory, type Workspace, WorkspaceError } from "@/lib/agent/workspace/workspace";

/** How many text files per command get a version. */
const MAX_FILES = 50;
const MAX_FILE_BYTES = 1_048_576;
const MAX_TOTAL_BYTES = 4 * 1_048_576;

interface EndedCommand {
  readonly workspace: Workspace;
  readonly fileHistory: FileHistory | null;
  /** When the command started; Unix ms. */
  readonly sinceMs: number;
}

/**
 * Records versions of the text files that a command changed, like those of the file tools: by the run, the call and its
 * span (D-16). Bounded in files and bytes. The command has already run, so no failure here fails the call.
 */
export async function recordCommand(command: EndedCommand, { call, context }: ToolExecution): Promise<void> {
  const { workspace, fileHistory, sinceMs } = command;
  if (!fileHistory?.recordFound || !workspace.changedSince) return;
  try {
    const { changed, present } = await workspace.changedSince(sinceMs);
    const { files, leftOut } = await readTexts(workspace, changed);
    const span = currentToolSpan(context, call.id);
    const spanId = span?.id;
    span?.setCall({ filesLeftOut: leftOut });
    const facts = { step: context.step, toolCallId: call.id, ...(spanId ? { spanId } : {}) };
    // Checked per file, because the file may be in a folder that the scan skips.
    const isGone = async (path: string) => present !== null && !present.has(path) && (await isMissing(workspace, path));
    for (const change of await fileHistory.recordFound({ files, isGone, ...facts })) {
      context.log.emit({ type: "file.changed", ...change, toolCallId: call.id });
    }
    if (leftOut > 0) context.logLine("info", "a command changed more files than are kept as versions", { leftOut });
  } catch (error) {
    context.logLine("error", `the files that a command changed were not recorded: ${messageOf(error)}`);
  }
}

/** A path through a link also counts as missing, because links are not followed. */
async function isMissing(workspace: Workspace, path: string): Promise<boolean> {
  try {
    return (await workspace.stat(path)) === null;
  } catch (error) {
    if (error instanceof WorkspaceError) return error.code === "invalid_path";
    throw error;
  }
}

async function readTexts(workspace: Workspace, paths: readonly string[]) {
  const files: { path: string; bytes: Uint8Array }[] = [];
  let leftBytes = MAX_TOTAL_BYTES;
  let leftOut = Math.max(0, paths.length - MAX_FILES);
  for (const path of paths.slice(0, MAX_FILES)) {
    const bytes = await readText(workspace, path, Math.min(MAX_FILE_BYTES, leftBytes));
    if (bytes === null) {
      leftOut += 1;
      continue;
    }
    leftBytes -= bytes.byteLength;
    files.push({ path, bytes });
  }
  return { files, leftOut };
}

/** Null if the file is not text, too large, or already gone. */
async function readText(workspace: Workspace, path: string, maxBytes: number): Promise<Uint8Array | null> {
  try {
    const { bytes, sizeBytes } = await workspace.read(path, maxBytes);
    return sizeBytes > maxBytes || decodeOrNull(bytes) === null ? null : bytes;
  } catch (error) {
    if (error instanceof WorkspaceError) return null;
    throw error;
  }
}

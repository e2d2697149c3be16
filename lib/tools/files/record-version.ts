import { messageOf } from "@/lib/agent/hooks/hook-chain";
import type { RunContext } from "@/lib/agent/run-context";
import type { ToolExecution } from "@/lib/agent/tools/tool";
import { currentToolSpan } from "@/lib/agent/tracing/current-spans";
import type { FileHistory } from "@/lib/agent/workspace/workspace";
import type { LoadedDocument } from "@/lib/tools/memory/memory-documents";
import type { WrittenFile } from "./workspace-files";

/** The file is already written, so a failure to store its version is reported to the operator, not to the model. */
export async function recordVersion(
  fileHistory: FileHistory | null,
  { path, before, after }: WrittenFile,
  { call, context }: ToolExecution,
): Promise<void> {
  if (!fileHistory) return;
  const spanId = currentToolSpan(context, call.id)?.id;
  try {
    const change = { path, before, after, step: context.step, toolCallId: call.id, ...(spanId ? { spanId } : {}) };
    const version = await fileHistory.record(change);
    const operation = before === null ? "created" : "changed";
    context.log.emit({ type: "file.changed", path, operation, ...version, toolCallId: call.id });
  } catch (error) {
    context.logLine("error", `the version of a written file was not kept: ${messageOf(error)}`, { path });
  }
}

/** Records external changes since the last version; a failure does not stop the run. */
export async function observeFiles(
  fileHistory: FileHistory | null,
  files: readonly LoadedDocument[],
  context: RunContext,
): Promise<void> {
  try {
    await fileHistory?.observe?.(files.filter(({ isWhole }) => isWhole));
  } catch (error) {
    context.logLine("warn", `a change from outside was not recorded: ${messageOf(error)}`);
  }
}

import type { Hook } from "@/lib/agent/hook";
import { messageOf } from "@/lib/agent/hook-chain";
import type { ToolExecution } from "@/lib/agent/tool";
import type { FileHistory, Workspace } from "@/lib/agent/workspace";
import type { AgentConfig } from "@/lib/schema/agent-config";
import type { BackendConfig } from "@/lib/schema/agent-config-backend";
import { fileTools } from "@/lib/tools/file-tools";
import { type WrittenFile, workspaceFiles } from "@/lib/tools/workspace-files";
import { currentToolSpan } from "./current-spans";
import { evictResults } from "./eviction";
import { offerTools } from "./offer-tools";

interface FilesystemOptions {
  readonly workspace: Workspace;
  readonly fileHistory: FileHistory | null;
  readonly backend: BackendConfig;
  readonly eviction: AgentConfig["eviction"];
}

/** S0's filesystem hook: offers the workspace's file tools, keeps the versions they write, and cuts huge results. */
export function filesystemHook({ workspace, fileHistory, backend, eviction }: FilesystemOptions): Hook {
  const files = workspaceFiles(workspace, backend.workdir, (file, execution) =>
    recordVersion(fileHistory, file, execution),
  );
  const limits = { timeoutMs: backend.timeout_ms, maxOutputBytes: backend.max_output_bytes };
  return {
    name: "filesystem",
    async beforeAgent(context) {
      offerTools(fileTools(files, limits), context);
    },
    wrapToolCall: evictResults(eviction),
  };
}

/** The file is written by now: a version that can't be kept is the operator's problem, not the model's. */
async function recordVersion(
  fileHistory: FileHistory | null,
  { path, before, after }: WrittenFile,
  { call, context }: ToolExecution,
): Promise<void> {
  if (!fileHistory) return;
  const spanId = currentToolSpan(context, call.id)?.id;
  try {
    const change = { path, before, after, toolCallId: call.id, ...(spanId ? { spanId } : {}) };
    const version = await fileHistory.record(change);
    const operation = before === null ? "created" : "changed";
    context.log.emit({ type: "file.changed", path, operation, ...version, toolCallId: call.id });
  } catch (error) {
    context.logLine("error", `the version of a written file was not kept: ${messageOf(error)}`, { path });
  }
}

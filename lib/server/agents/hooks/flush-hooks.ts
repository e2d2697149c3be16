import type { Hook } from "@/lib/agent/hooks/hook";
import type { FileHistory, Workspace } from "@/lib/agent/workspace/workspace";
import { evictionHook } from "@/lib/hooks/eviction";
import { missingToolHook } from "@/lib/hooks/missing-tool";
import { permissionsHook } from "@/lib/hooks/permissions";
import { type PromptEnvironment, promptHook } from "@/lib/hooks/prompt";
import { tracingHook } from "@/lib/hooks/tracing";
import { permissionSettings } from "@/lib/permissions/permission-settings";
import type { AgentConfig } from "@/lib/schema/agents/agent-config";
import { extensionToolRings } from "@/lib/server/extensions/tool-rings";
import { readFileTool } from "@/lib/tools/files/read-file";
import { recordVersion } from "@/lib/tools/files/record-version";
import { type FileLock, workspaceFiles } from "@/lib/tools/files/workspace-files";
import { writeFileTool } from "@/lib/tools/files/write-file";
import { offerTools } from "@/lib/tools/offer-tools";

/** The steps of a flush are none of its run's. */
function ofNoStep(history: FileHistory | null): FileHistory | null {
  return history && { ...history, record: ({ step: _, ...change }) => history.record(change) };
}

interface FlushHookOptions {
  /** The flush's system prompt, not the agent's. */
  readonly config: AgentConfig;
  readonly workspace: Workspace;
  readonly fileHistory: FileHistory | null;
  /** Shared by every writer to the workspace. */
  readonly fileLock?: FileLock;
  readonly prompt: PromptEnvironment;
  /** Whether spans of model calls record what the model reads. */
  readonly isVerbose: boolean;
}

/** The hooks of a memory flush (S4), outermost first: it may only read and write files. */
export function flushHooks({ config, workspace, fileHistory, fileLock, prompt, isVerbose }: FlushHookOptions): Hook[] {
  const workdir = config.backend?.workdir ?? "/";
  const files = workspaceFiles(
    workspace,
    workdir,
    (file, execution) => recordVersion(ofNoStep(fileHistory), file, execution),
    fileLock,
  );
  const tools: Hook = {
    name: "memory-flush",
    async beforeAgent(context) {
      offerTools([readFileTool(files), writeFileTool(files)], context);
    },
  };
  const { eviction } = config;
  const permissions = permissionSettings(config);
  return [
    tracingHook({ isVerbose }),
    ...(permissions.enabled ? [permissionsHook({ permissions, workdir })] : []),
    ...extensionToolRings(config),
    tools,
    evictionHook(eviction),
    missingToolHook(),
    // Nothing is seeded here: the runs before the flush had their chance.
    promptHook({ config, workspace, fileHistory, environment: { ...prompt, isFirst: async () => false } }),
  ];
}

import "server-only";
import type { AgentConfig } from "@/lib/schema/agents/agent-config";
import type { BackendConfig } from "@/lib/schema/agents/agent-config-backend";
import { rootThreadId } from "@/lib/server/engine/children/run-tree";
import type { ClaimedRun } from "@/lib/server/engine/claimed-run";
import { draftRevisionOf } from "@/lib/server/engine/run-input";
import { configInPlace, sharedBoardOf } from "@/lib/server/engine/workspace-scope";
import type { WorkspaceOwner } from "@/lib/server/files/workspace-row";
import type { Database } from "@/lib/server/platform/db/database";

/**
 * The runs of a test, and those of a replay, use the files of their own thread, whatever the scope otherwise is; so do
 * their subagents.
 */
export function backendOf(run: ClaimedRun, config: AgentConfig): BackendConfig | null {
  const { backend } = configInPlace(config, run);
  const isApart = draftRevisionOf(run) !== null || run.replayId !== null;
  return backend && isApart ? { ...backend, scope: "thread" } : backend;
}

/**
 * The owner of the files a run works on. In a project, files limited to a thread belong to whoever started it,
 * regardless of who sends there.
 */
export async function placeOf(db: Database, run: ClaimedRun): Promise<WorkspaceOwner & { readonly threadId: string }> {
  const { agentId, projectId } = run;
  const threadId = await rootThreadId(db, run);
  if (projectId === null) return { agentId, ownerId: run.ownerId, threadId, boardId: sharedBoardOf(run) };
  const thread = await db.thread.findUnique({ where: { id: threadId }, select: { ownerId: true } });
  return { agentId, ownerId: thread?.ownerId ?? run.ownerId, threadId, projectId };
}

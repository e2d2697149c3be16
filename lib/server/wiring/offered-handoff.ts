import "server-only";
import type { DelegateInfo } from "@/lib/agent/subagents";
import type { Tool } from "@/lib/agent/tools/tool";
import { splitAttached } from "@/lib/schema/messages/attached-files";
import { loadCurrentVersion } from "@/lib/server/engine/agent-version";
import type { HandOver } from "@/lib/server/engine/children/start-child";
import type { ClaimedRun } from "@/lib/server/engine/claimed-run";
import { loadQueue } from "@/lib/server/engine/queue/queue-order";
import { handoffsOf, RunInput } from "@/lib/server/engine/run-input";
import type { Database } from "@/lib/server/platform/db/database";
import { accessOfOwner } from "@/lib/server/platform/db/queries/agent-access";
import { handoffTool } from "@/lib/tools/handoff";

/** `handoff`, for a run that answers a person in the chat as the thread's agent. */
export function offeredHandoff(
  database: Database,
  run: ClaimedRun,
  delegates: readonly DelegateInfo[],
  handOver: HandOver,
): Tool[] {
  const count = handoffsOf(run);
  if (count === null || delegates.length === 0) return [];
  const prepare = async (agentId: string) => {
    const files = await attachedFiles(database, run);
    if (files.length === 0) return [];
    const { id: versionId, config } = await loadCurrentVersion(database, agentId, accessOfOwner(run.ownerId));
    return config.backend === null ? [] : handOver(run, { agentId, versionId }, files);
  };
  return [handoffTool({ delegates, count, prepare })];
}

/** The files of the messages that the other agent answers: the run's own, and what its person has queued since. */
async function attachedFiles(database: Database, run: ClaimedRun): Promise<string[]> {
  const queued = (await loadQueue(database, run.threadId)).filter(({ row }) => row.ownerId === run.ownerId);
  const messages = [RunInput.parse(JSON.parse(run.input)), ...queued.map(({ input }) => input)].flatMap(
    (input) => input.messages,
  );
  return [...new Set(messages.flatMap(({ content }) => splitAttached(content).files.map(({ path }) => path)))];
}

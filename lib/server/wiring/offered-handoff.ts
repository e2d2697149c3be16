import "server-only";
import type { DelegateInfo } from "@/lib/agent/subagents";
import type { Tool } from "@/lib/agent/tools/tool";
import { splitAttached } from "@/lib/schema/messages/attached-files";
import { loadCurrentVersion } from "@/lib/server/engine/agent-version";
import type { HandOver } from "@/lib/server/engine/children/start-child";
import type { ClaimedRun } from "@/lib/server/engine/claimed-run";
import { handoffsOf, RunInput } from "@/lib/server/engine/run-input";
import { database } from "@/lib/server/platform/db/database";
import { accessOfOwner } from "@/lib/server/platform/db/queries/agent-access";
import { handoffTool } from "@/lib/tools/handoff";

/** `handoff`, for a run that answers a person in the chat as the thread's agent. */
export function offeredHandoff(run: ClaimedRun, delegates: readonly DelegateInfo[], handOver: HandOver): Tool[] {
  const count = handoffsOf(run);
  if (count === null || delegates.length === 0) return [];
  const prepare = async (agentId: string) => {
    const files = RunInput.parse(JSON.parse(run.input)).messages.flatMap(({ content }) =>
      splitAttached(content).files.map(({ path }) => path),
    );
    if (files.length === 0) return [];
    const { id: versionId, config } = await loadCurrentVersion(database(), agentId, accessOfOwner(run.ownerId));
    return config.backend === null ? [] : handOver(run, { agentId, versionId }, files);
  };
  return [handoffTool({ delegates, count, prepare })];
}

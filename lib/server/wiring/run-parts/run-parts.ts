import "server-only";
import type { Hook } from "@/lib/agent/hooks/hook";
import type { AgentConfig } from "@/lib/schema/agents/agent-config";
import type { DescribeRunParts, NextRun, RunParts } from "@/lib/server/agents/prompt/run-parts";
import type { ClaimedRun } from "@/lib/server/engine/claimed-run";
import type { RunInput } from "@/lib/server/engine/run-input";
import type { Services } from "@/lib/server/platform/services";
import { messageTools, messagingSections } from "./message-tools";
import { scheduleTools } from "./schedule-tools";
import { teamParts } from "./team-tools";

/** The parts of a run that depend on its owner and its place; for most runs nothing is loaded or queried. */
export async function runParts(
  services: Services,
  run: ClaimedRun,
  config: AgentConfig,
): Promise<RunParts & { hooks: readonly Hook[] }> {
  const [timed, messaging, messagingText, team] = await Promise.all([
    scheduleTools(services, run, config),
    messageTools(services, run, config),
    messagingSections(services.database, run),
    teamParts(services, run, config),
  ]);
  return {
    tools: [...timed, ...messaging, ...team.tools],
    system: [...team.system, ...messagingText],
    hooks: team.hooks,
  };
}

/** The same parts, where a request is only shown. */
export const describeRunParts: DescribeRunParts = (services, next, config) =>
  runParts(services, next.current ?? runOf(next), config);

/** A run that does not exist, with what its parts depend on. */
function runOf({ agentId, ownerId, threadId, boardId = null }: NextRun): ClaimedRun {
  const input: RunInput = { messages: [], transcriptPosition: null, ...(boardId ? { board: { id: boardId } } : {}) };
  const place = { agentId, ownerId, threadId: threadId ?? "preview" };
  return { ...place, id: "preview", origin: "chat", originDetails: null, input: JSON.stringify(input) } as ClaimedRun;
}

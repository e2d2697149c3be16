import "server-only";
import type { PromptSection } from "@/lib/agent/model";
import type { Tool } from "@/lib/agent/tools/tool";
import { currentToolSpan } from "@/lib/agent/tracing/current-spans";
import { delegationSections } from "@/lib/server/agents/prompt/delegation-sections";
import type { AgentVersion } from "@/lib/server/engine/agent-version";
import { offeredDelegates } from "@/lib/server/engine/children/offered-delegates";
import { offeredSubagents } from "@/lib/server/engine/children/offered-subagents";
import type { ClaimedRun } from "@/lib/server/engine/claimed-run";
import { runSubagents } from "@/lib/server/engine/run-subagents";
import type { Database } from "@/lib/server/platform/db/database";
import { accessOfOwner } from "@/lib/server/platform/db/queries/agent-access";
import { offeredTaskTools } from "@/lib/server/tools/task-tools";
import { handOverFiles } from "./hand-over-files";
import { offeredHandoff } from "./offered-handoff";

interface ChildTools {
  readonly tools: readonly Tool[];
  readonly system: readonly PromptSection[];
}

const NONE: ChildTools = { tools: [], system: [] };

/**
 * `task`, `delegate` and their companions, for the run of an agent with subagents or delegates. `recordedCallOf`: of a
 * replay, the recorded call that a call of the run is.
 */
export async function childTools(
  database: Database,
  run: ClaimedRun,
  version: AgentVersion,
  recordedCallOf?: (toolCallId: string) => string | null,
): Promise<ChildTools> {
  const { config } = version;
  if (config.subagents.length === 0 && config.delegates.length === 0) return NONE;
  const access = accessOfOwner(run.ownerId);
  const [offered, delegates] = await Promise.all([
    offeredSubagents(database, config, access),
    offeredDelegates(database, config, access),
  ]);
  const handOver = handOverFiles(database, config);
  const subagents = runSubagents(database, run, version, { offered, delegates, handOver, recordedCallOf });
  const findSpan = ({ call, context }: Parameters<Tool["execute"]>[1]) => currentToolSpan(context, call.id)?.id ?? null;
  const handoff = offeredHandoff(database, run, delegates, handOver);
  const tools = offeredTaskTools(config, subagents, findSpan, handoff);
  return { tools, system: delegationSections(delegates, tools) };
}

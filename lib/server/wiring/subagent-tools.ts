import "server-only";
import type { Tool } from "@/lib/agent/tools/tool";
import { currentToolSpan } from "@/lib/agent/tracing/current-spans";
import type { AgentVersion } from "@/lib/server/engine/agent-version";
import { offeredSubagents } from "@/lib/server/engine/children/offered-subagents";
import type { ClaimedRun } from "@/lib/server/engine/claimed-run";
import { runSubagents } from "@/lib/server/engine/run-subagents";
import type { Database } from "@/lib/server/platform/db/database";
import { accessOfOwner } from "@/lib/server/platform/db/queries/agent-access";
import { offeredTaskTools } from "@/lib/server/tools/task-tools";

/** `task` and its companions, for the run of an agent with subagents. */
export async function subagentTools(database: Database, run: ClaimedRun, version: AgentVersion): Promise<Tool[]> {
  const offered = await offeredSubagents(database, version.config, accessOfOwner(run.ownerId));
  const subagents = runSubagents(database, run, version, offered);
  return offeredTaskTools(
    version.config,
    subagents,
    ({ call, context }) => currentToolSpan(context, call.id)?.id ?? null,
  );
}

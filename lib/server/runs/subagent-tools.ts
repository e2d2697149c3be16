import "server-only";
import type { Tool } from "@/lib/agent/tool";
import { currentToolSpan } from "@/lib/hooks/current-spans";
import type { Database } from "../db";
import { offeredTaskTools } from "../tools/task-tools";
import type { AgentVersion } from "./agent-version";
import type { ClaimedRun } from "./claim-runs";
import { offeredSubagents } from "./offered-subagents";
import { runSubagents } from "./run-subagents";

/** `task` and its companions, for the run of an agent with subagents. */
export async function subagentTools(database: Database, run: ClaimedRun, version: AgentVersion): Promise<Tool[]> {
  const offered = await offeredSubagents(database, version.config);
  const subagents = runSubagents(database, run, version, offered);
  return offeredTaskTools(
    version.config,
    subagents,
    ({ call, context }) => currentToolSpan(context, call.id)?.id ?? null,
  );
}

/** The thread whose files the run works on: what belongs to a thread belongs to the root run's. */
export async function rootThreadId(database: Database, { threadId, parentRunId }: ClaimedRun): Promise<string> {
  if (parentRunId === null) return threadId;
  const thread = await database.thread.findUnique({ where: { id: threadId }, select: { parentThreadId: true } });
  return thread?.parentThreadId ?? threadId;
}

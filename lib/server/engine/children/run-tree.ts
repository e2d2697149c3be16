import type { ClaimedRun } from "@/lib/server/engine/claimed-run";
import type { Database } from "@/lib/server/platform/db/database";
import { type RunState, selectOpenRunsOfTree } from "@/lib/server/platform/db/queries/runs";
import { selectClientId } from "@/lib/server/platform/db/queries/threads";

/** The run and every run below it, each after its parent. */
export async function runsOfTree(database: Database, run: ClaimedRun): Promise<ClaimedRun[]> {
  const below: ClaimedRun[] = await database.run.findMany({
    where: { rootRunId: run.rootRunId ?? run.id, depth: { gt: run.depth } },
    orderBy: [{ depth: "asc" }, { createdAt: "asc" }, { id: "asc" }],
  });
  const tree = [run];
  for (const child of below) if (tree.some(({ id }) => id === child.parentRunId)) tree.push(child);
  return tree;
}

/**
 * Whether nothing in the run continues until a person decides: it asks a person itself, or waits for subagents that all
 * do, at any depth. Background subagents do not count.
 */
export async function waitsInTree(database: Database, runId: string): Promise<boolean> {
  const rows = await selectOpenRunsOfTree(database, runId);
  const waits = ({ id, status, waitingFor }: RunState): boolean => {
    if (status !== "waiting") return false;
    if (waitsForPeople({ status, waitingFor })) return true;
    const children = rows.filter(({ parentRunId }) => parentRunId === id);
    return children.length > 0 && children.every(waits);
  };
  const run = rows.find(({ id }) => id === runId);
  return run !== undefined && waits(run);
}

/** Whether the run waits for people; a run that only waits for its child continues automatically. */
export function waitsForPeople({ status, waitingFor }: { status: string; waitingFor: string | null }): boolean {
  return status === "waiting" && /approval|question|budget|connect/.test(waitingFor ?? "");
}

/** The thread whose files the run works on: a thread's files belong to the root run's thread. */
export async function rootThreadId(database: Database, { threadId, parentRunId }: ClaimedRun): Promise<string> {
  if (parentRunId === null) return threadId;
  const thread = await database.thread.findUnique({ where: { id: threadId }, select: { parentThreadId: true } });
  return thread?.parentThreadId ?? threadId;
}

/** The id by which clients identify the thread (D-58); for a subagent's thread, that of the thread it works for. */
export async function clientThreadId(database: Database, threadId: string): Promise<string> {
  return (await selectClientId(database, threadId)) ?? threadId;
}

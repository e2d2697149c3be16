import type { ClaimedRun } from "@/lib/server/engine/queue";
import type { Database } from "@/lib/server/platform/db/database";

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

interface OpenRow {
  readonly id: string;
  readonly parentRunId: string | null;
  readonly status: string;
  readonly waitingFor: string | null;
}

/**
 * Whether nothing continues in the run until a person decides: it asks itself, or waits for subagents that all do, at
 * any depth. Background subagents hold nobody up.
 */
export async function waitsInTree(database: Database, runId: string): Promise<boolean> {
  const rows = await database.raw<OpenRow>(
    `select "id", "parentRunId", "status", "waitingFor" from "run"
      where "endedAt" is null and ("id" = $1 or ("rootRunId" = (select coalesce(r."rootRunId", r."id") from "run" r
        where r."id" = $1) and "isBackground" = ${database.dialect.provider === "sqlite" ? "0" : "false"}))`,
    [runId],
  );
  const waits = ({ id, status, waitingFor }: OpenRow): boolean => {
    if (status !== "waiting") return false;
    if (waitsForPeople({ status, waitingFor })) return true;
    const children = rows.filter(({ parentRunId }) => parentRunId === id);
    return children.length > 0 && children.every(waits);
  };
  const run = rows.find(({ id }) => id === runId);
  return run !== undefined && waits(run);
}

/** A run that waits only for its child continues by itself. */
export function waitsForPeople({ status, waitingFor }: { status: string; waitingFor: string | null }): boolean {
  return status === "waiting" && /approval|question/.test(waitingFor ?? "");
}

/** The thread whose files the run works on: what belongs to a thread belongs to the root run's thread. */
export async function rootThreadId(database: Database, { threadId, parentRunId }: ClaimedRun): Promise<string> {
  if (parentRunId === null) return threadId;
  const thread = await database.thread.findUnique({ where: { id: threadId }, select: { parentThreadId: true } });
  return thread?.parentThreadId ?? threadId;
}

/** The id by which clients know the thread (D-58); for a subagent's thread, that of the thread it works for. */
export async function clientThreadId(database: Database, threadId: string): Promise<string> {
  const [row] = await database.raw<{ clientId: string }>(
    `select coalesce((select p."clientId" from "thread" p where p."id" = t."parentThreadId"), t."clientId") as "clientId"
      from "thread" t where t."id" = $1`,
    [threadId],
  );
  return row?.clientId ?? threadId;
}

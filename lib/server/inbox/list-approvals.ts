import "server-only";
import type { ApprovalList, ApprovalQuery } from "@/lib/schema/runs/interrupt";
import type { Reader } from "@/lib/schema/users/user";
import { toInterrupt } from "@/lib/server/engine/asks/approval-row";
import { runsOfLostAgents } from "@/lib/server/engine/asks/deleted-agents";
import type { Database } from "@/lib/server/platform/db/database";
import { readEach } from "@/lib/server/platform/db/each-alone";
import { pageOfRows, timeCursors } from "@/lib/server/platform/db/page-of-rows";
import { homeInReach } from "@/lib/server/platform/within-reach";
import { agentNames } from "@/lib/server/threads/thread-row";
import { sourcesOf } from "./ask-sources";
import { noteSeen } from "./note-seen";

export interface Asked extends Reader {
  /** May raise anyone's budget. */
  readonly isAdmin: boolean;
}

/** What the viewer is or was asked: their own asks, and for an administrator everybody's budgets. */
export function askedOf({ id, reach, isAdmin }: Asked) {
  return {
    ...(isAdmin ? { AND: [{ OR: [{ ownerId: id }, { kind: "budget" }] }] } : { ownerId: id }),
    run: { thread: { deletedAt: null, ...homeInReach({ reach }) } },
  };
}

/** What of it waits for a decision. */
export function waitingFor(viewer: Asked) {
  const { run, ...asked } = askedOf(viewer);
  return { ...asked, status: "pending", run: { ...run, status: "waiting" } };
}

/** Everything waiting for the viewer across all threads, longest wait first. */
export async function listApprovals(database: Database, viewer: Asked, query: ApprovalQuery): Promise<ApprovalList> {
  const { threadId, limit, cursor } = query;
  const where = { ...waitingFor(viewer), ...(threadId === undefined ? {} : ofThread(threadId)) };
  const [total, rows] = await Promise.all([
    database.approval.count({ where }),
    findPage(database, where, limit, cursor),
  ]);
  const { page, nextCursor } = pageOfRows(rows, limit, ({ createdAt, id }) => timeCursors.write(createdAt, id));
  // The list also counts what waits; in a thread's page the cards themselves are shown.
  if (threadId !== undefined) await noteSeen(database, page, viewer.id);
  const names = await agentNames(
    database,
    page.map(({ run }) => run.agentId),
  );
  const sources = await sourcesOf(
    database,
    page.map(({ run }) => run.rootRunId ?? run.id),
  );
  const { titles, drafts } = await rootThreads(
    database,
    page.flatMap(({ run }) => run.thread.parentThreadId ?? []),
  );
  const gone = await runsOfLostAgents(
    database,
    page.map(({ run }) => run),
  );
  return {
    approvals: readEach(page, "approval", (row) => ({
      ...toInterrupt(row),
      id: row.id,
      runId: row.runId,
      threadId: row.run.thread.parentThreadId ?? row.threadId,
      threadTitle: titles.get(row.run.thread.parentThreadId ?? "") ?? row.run.thread.title,
      agentId: row.run.agentId,
      agentName: names.get(row.run.agentId) ?? row.run.agentId,
      ...(row.run.subagentName === null ? {} : { subagent: row.run.subagentName }),
      ...(gone.has(row.runId) ? { agentDeleted: true } : {}),
      source: sources.get(row.run.rootRunId ?? row.runId) ?? { kind: "chat", name: null },
      ...(row.run.thread.isTest || drafts.has(row.run.thread.parentThreadId ?? "") ? { draft: true as const } : {}),
      ...(row.ownerId === viewer.id ? {} : { ownerName: row.run.thread.owner.name }),
      waitingSince: row.createdAt.toISOString(),
    })),
    nextCursor,
    total,
  };
}

const RUN = {
  id: true,
  ownerId: true,
  agentId: true,
  rootRunId: true,
  subagentName: true,
  thread: { select: { title: true, isTest: true, parentThreadId: true, owner: { select: { name: true } } } },
} as const;

function findPage(database: Database, where: object, limit: number, cursor: string | undefined) {
  return database.approval.findMany({
    where: { AND: [where, timeCursors.behind(cursor, "createdAt", "ascending")] },
    orderBy: [{ createdAt: "asc" }, { id: "asc" }],
    take: limit + 1,
    include: { run: { select: RUN } },
  });
}

/** Everything waiting in the thread and in the runs of its subagents. */
function ofThread(threadId: string) {
  return { OR: [{ threadId }, { run: { thread: { parentThreadId: threadId } } }] };
}

/** The titles of the threads that subagents work for, and those of them that test a draft. */
async function rootThreads(database: Database, threadIds: string[]) {
  const threads =
    threadIds.length === 0
      ? []
      : await database.thread.findMany({
          where: { id: { in: threadIds } },
          select: { id: true, title: true, isTest: true },
        });
  return {
    titles: new Map(threads.map(({ id, title }) => [id, title])),
    drafts: new Set(threads.flatMap(({ id, isTest }) => (isTest ? [id] : []))),
  };
}

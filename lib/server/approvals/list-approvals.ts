import "server-only";
import { z } from "zod";
import { AppError } from "@/lib/schema/app-error";
import type { ApprovalList, ApprovalQuery } from "@/lib/schema/interrupt";
import { database } from "../db";
import { agentNames } from "../threads/thread-row";
import { toInterrupt } from "./approval-row";

const Cursor = z.tuple([z.iso.datetime(), z.string()]);

/** What waits for the viewer over all threads, what waits longest first. */
export async function listApprovals(ownerId: string, query: ApprovalQuery): Promise<ApprovalList> {
  const { threadId, limit, cursor } = query;
  const rows = await database().approval.findMany({
    where: {
      ownerId,
      status: "pending",
      ...(threadId === undefined ? {} : ofThread(threadId)),
      run: { status: "waiting", thread: { deletedAt: null } },
      ...(cursor === undefined ? {} : { AND: after(cursor) }),
    },
    orderBy: [{ createdAt: "asc" }, { id: "asc" }],
    take: limit + 1,
    include: {
      run: { select: { agentId: true, subagentName: true, thread: { select: { title: true, parentThreadId: true } } } },
    },
  });
  const page = rows.slice(0, limit);
  const names = await agentNames(page.map(({ run }) => run.agentId));
  const titles = await rootTitles(page.flatMap(({ run }) => run.thread.parentThreadId ?? []));
  const last = page.at(-1);
  return {
    approvals: page.map((row) => ({
      ...toInterrupt(row),
      id: row.id,
      runId: row.runId,
      threadId: row.run.thread.parentThreadId ?? row.threadId,
      threadTitle: titles.get(row.run.thread.parentThreadId ?? "") ?? row.run.thread.title,
      agentId: row.run.agentId,
      agentName: names.get(row.run.agentId) ?? row.run.agentId,
      ...(row.run.subagentName === null ? {} : { subagent: row.run.subagentName }),
      waitingSince: row.createdAt.toISOString(),
    })),
    nextCursor: rows.length > limit && last ? encode([last.createdAt.toISOString(), last.id]) : null,
  };
}

/** What waits in the thread and in the runs of its subagents. */
function ofThread(threadId: string) {
  return { OR: [{ threadId }, { run: { thread: { parentThreadId: threadId } } }] };
}

async function rootTitles(threadIds: string[]): Promise<Map<string, string | null>> {
  if (threadIds.length === 0) return new Map();
  const threads = await database().thread.findMany({
    where: { id: { in: threadIds } },
    select: { id: true, title: true },
  });
  return new Map(threads.map(({ id, title }) => [id, title]));
}

function after(cursor: string) {
  const [createdAt, id] = decode(cursor);
  const at = new Date(createdAt);
  return { OR: [{ createdAt: { gt: at } }, { createdAt: at, id: { gt: id } }] };
}

function encode(cursor: z.infer<typeof Cursor>): string {
  return Buffer.from(JSON.stringify(cursor)).toString("base64url");
}

function decode(cursor: string): z.infer<typeof Cursor> {
  try {
    return Cursor.parse(JSON.parse(Buffer.from(cursor, "base64url").toString("utf8")));
  } catch (cause) {
    throw new AppError("invalid_input", "cursor: Use the nextCursor of the page before.", { cause });
  }
}

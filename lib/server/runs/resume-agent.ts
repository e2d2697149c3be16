import "server-only";
import { AppError } from "@/lib/schema/app-error";
import type { Decision } from "@/lib/schema/interrupt";
import type { ResumeBody } from "@/lib/schema/invoke";
import { decide } from "../approvals/decide";
import { database } from "../db";
import { findClientThread } from "../threads/open-thread";
import { loadCurrentVersion } from "./agent-version";
import { followRun } from "./follow-run";
import { invokeReply } from "./invoke-reply";
import { type StreamFormat, streamRun } from "./stream-run";

interface Resumption {
  readonly agentId: string;
  readonly ownerId: string;
  readonly body: ResumeBody;
  readonly format: StreamFormat;
  /** Aborts when the client has gone; the run goes on, for it has outlived a client before. */
  readonly signal: AbortSignal;
}

/**
 * Decides on what the thread's run asks and goes on with it: answers when it has ended or waits again, or streams what
 * comes after the decision. Throws `not_found` for an unknown thread or call, `not_waiting`, `conflict`, `invalid_input`.
 */
export async function resumeAgent({ agentId, ownerId, body, format, signal }: Resumption): Promise<Response> {
  const db = database();
  await loadCurrentVersion(db, agentId);
  const thread = await findClientThread(db, { ownerId, agentId }, body.thread_id);
  if (!thread) throw new AppError("not_found", "There is no such thread.");
  const groups = await groupByRun(thread.id, body.decisions);
  const root = await db.run.findUniqueOrThrow({
    where: { id: groups[0]?.rootRunId ?? "" },
    select: { id: true, traceId: true },
  });
  const run = { runId: root.id, traceId: root.traceId, clientThreadId: thread.clientId };
  const last = await db.runEvent.findFirst({
    where: { runId: run.runId },
    orderBy: { seq: "desc" },
    select: { seq: true },
  });
  for (const { runId, decisions } of groups) await decide(runId, ownerId, decisions);
  const cursor = last?.seq ?? 0;
  if (body.stream) return streamRun(run, { format, cursor, signal });
  for await (const _ of followRun(db, run.runId, cursor, signal));
  return invokeReply(run);
}

interface DecisionsOfRun {
  readonly runId: string;
  readonly rootRunId: string;
  readonly decisions: readonly Decision[];
}

/**
 * The decisions by the run that asks: the thread's own, or that of a subagent, which has a thread below it. What no run
 * has asked goes to the one that waits, which refuses it.
 */
async function groupByRun(threadId: string, decisions: readonly Decision[]): Promise<DecisionsOfRun[]> {
  const asked = await database().approval.findMany({
    where: {
      toolCallId: { in: decisions.map(({ tool_call_id: id }) => id) },
      OR: [{ threadId }, { run: { thread: { parentThreadId: threadId } } }],
    },
    orderBy: [{ status: "asc" }, { createdAt: "asc" }],
    select: { toolCallId: true, run: { select: RUN } },
  });
  const waiting = await database().run.findFirst({ where: { threadId, status: "waiting" }, select: RUN });
  // The last of the same id wins, and "pending" sorts after every other status.
  const runs = new Map(asked.map(({ toolCallId, run }) => [toolCallId, run]));
  const groups = new Map<string, { runId: string; rootRunId: string; decisions: Decision[] }>();
  for (const decision of decisions) {
    const run = runs.get(decision.tool_call_id) ?? waiting;
    if (!run) throw new AppError("not_waiting", "No run of this thread waits for a decision.");
    const group = groups.get(run.id) ?? { runId: run.id, rootRunId: run.rootRunId ?? run.id, decisions: [] };
    group.decisions.push(decision);
    groups.set(run.id, group);
  }
  return [...groups.values()];
}

const RUN = { id: true, rootRunId: true } as const;

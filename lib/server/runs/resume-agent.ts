import "server-only";
import { AppError } from "@/lib/schema/app-error";
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
  const asked = await db.approval.findFirst({
    where: { threadId: thread.id, toolCallId: { in: body.decisions.map(({ tool_call_id: id }) => id) } },
    orderBy: [{ createdAt: "desc" }, { id: "desc" }],
    select: { run: { select: { id: true, traceId: true } } },
  });
  const waiting = await db.run.findFirst({
    where: { threadId: thread.id, status: "waiting" },
    select: { id: true, traceId: true },
  });
  const found = asked?.run ?? waiting;
  if (!found) throw new AppError("not_waiting", "No run of this thread waits for a decision.");
  const run = { runId: found.id, traceId: found.traceId, clientThreadId: thread.clientId };
  const last = await db.runEvent.findFirst({
    where: { runId: run.runId },
    orderBy: { seq: "desc" },
    select: { seq: true },
  });
  await decide(run.runId, ownerId, body.decisions);
  const cursor = last?.seq ?? 0;
  if (body.stream) return streamRun(run, { format, cursor, signal, stopsAtEnd: true });
  for await (const _ of followRun(db, run.runId, cursor, signal));
  return invokeReply(run);
}

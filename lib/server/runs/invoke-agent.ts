import "server-only";
import type { InvokeBody } from "@/lib/schema/invoke";
import type { Viewer } from "@/lib/schema/user";
import { database } from "../db";
import { logger } from "../logger";
import { openThread } from "../threads/open-thread";
import { loadCurrentVersion } from "./agent-version";
import { cancelRun } from "./cancel-run";
import { followRun } from "./follow-run";
import { refuseBlockedInput } from "./guard-input";
import { invokeReply } from "./invoke-reply";
import type { ProjectedRun } from "./project-wick";
import { startRun } from "./start-run";
import { type StreamFormat, streamRun } from "./stream-run";

interface Invocation {
  readonly agentId: string;
  readonly viewer: Viewer;
  readonly body: InvokeBody;
  readonly idempotencyKey: string | undefined;
  /** Aborts when the client has gone: the run is then cancelled unless the body says `detach` (D-46). */
  readonly signal: AbortSignal;
}

/** Starts a run and answers when it has ended: S0's sync endpoint. Throws before the run exists, replies after. */
export async function invokeAgent(invocation: Invocation): Promise<Response> {
  const run = await begin(invocation);
  const stop = new AbortController();
  const leave = () => {
    stop.abort();
    cancelIfAttached(invocation, run);
  };
  invocation.signal.addEventListener("abort", leave);
  try {
    for await (const _ of followRun(database(), run.runId, 0, stop.signal));
  } finally {
    invocation.signal.removeEventListener("abort", leave);
  }
  return invokeReply(run);
}

/** Starts a run and streams it: S0's stream endpoint. Whatever can be refused is refused before the stream opens. */
export async function streamAgent(invocation: Invocation, format: StreamFormat): Promise<Response> {
  const run = await begin(invocation);
  const { signal } = invocation;
  const onDisconnect = () => cancelIfAttached(invocation, run);
  return streamRun(run, { format, cursor: 0, signal, onDisconnect, stopsAtEnd: true });
}

async function begin({ agentId, viewer, body, idempotencyKey }: Invocation): Promise<ProjectedRun> {
  const db = database();
  const version = await loadCurrentVersion(db, agentId);
  await refuseBlockedInput(db, { ownerId: viewer.id, version, messages: body.messages });
  const owner = { ownerId: viewer.id, agentId };
  const thread = await openThread(db, owner, body.thread_id);
  const accepted = await startRun(db, { ...owner, threadId: thread.id, messages: body.messages, idempotencyKey });
  return { runId: accepted.runId, traceId: accepted.traceId, clientThreadId: thread.clientId };
}

function cancelIfAttached({ body, viewer }: Invocation, run: ProjectedRun): void {
  if (body.detach) return;
  cancelRun(database(), run.runId, viewer.id).catch(reportCancel(run.runId));
}

function reportCancel(runId: string) {
  return (error: unknown) => logger().error({ err: error, runId }, "could not cancel the run of a client that left");
}

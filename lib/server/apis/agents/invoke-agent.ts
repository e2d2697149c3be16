import "server-only";
import type { InvokeBody } from "@/lib/schema/apis/invoke";
import { senderOfKey } from "@/lib/schema/apis/request-key";
import type { Viewer } from "@/lib/schema/users/user";
import { namedVersion } from "@/lib/server/agents/versions/named-version";
import { cancelLeft } from "@/lib/server/apis/open-reply";
import { keepPictures, readPictures } from "@/lib/server/apis/pictures";
import { startRun } from "@/lib/server/engine/accept";
import { refuseBlockedInput } from "@/lib/server/engine/guard-input";
import { accessOf } from "@/lib/server/platform/db/queries/agent-access";
import type { Services } from "@/lib/server/platform/services";
import { requireModelAccess } from "@/lib/server/providers/model-access";
import { openThread } from "@/lib/server/threads/open-thread";
import { followRun } from "@/lib/server/views/follow-run";
import type { ProjectedRun } from "@/lib/server/views/project-agents-api";
import { watchServerClosing } from "@/lib/server/views/server-closing";
import { type StreamFormat, streamRun } from "@/lib/server/views/stream-run";
import { invokeReply } from "./invoke-reply";

interface Invocation {
  readonly agentId: string;
  /** A number or an alias; by default the published version. */
  readonly version: string | undefined;
  readonly viewer: Viewer;
  readonly body: InvokeBody;
  readonly idempotencyKey: string | undefined;
  readonly signal: AbortSignal;
  /** The ids that the client gave to the messages, by which it repeats them. */
  readonly clientIds?: readonly string[];
}

/**
 * Starts a run and answers when it has ended: S0's sync endpoint. Throws before the run exists, answers with a reply
 * afterwards.
 */
export async function invokeAgent(services: Services, invocation: Invocation): Promise<Response> {
  return answerAtEnd(services, await startInvocation(services, invocation), clientOf(invocation));
}

interface Attached {
  readonly ownerId: string;
  /** Aborts when the client disconnects: the run is then cancelled unless it is detached (D-46). */
  readonly signal: AbortSignal;
  readonly detach: boolean | undefined;
}

/** Answers when the run has ended or when the run or one of its subagents needs a person. */
export async function answerAtEnd(
  services: Services,
  run: ProjectedRun,
  client: Attached,
  after = 0,
): Promise<Response> {
  await whileAttached(services, run, client, async (signal) => {
    for await (const _ of followRun(services, run.runId, after, signal, "held-up"));
  });
  return invokeReply(services.database, run);
}

/**
 * Does work that waits for the run. Its signal aborts when the client disconnects, which cancels the run unless it is
 * detached, and when the server shuts down: then throws `unavailable` if the run has not ended.
 */
export async function whileAttached<Result>(
  services: Services,
  run: ProjectedRun,
  client: Attached,
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const stop = new AbortController();
  const leave = () => {
    stop.abort();
    cancelIfAttached(services, client, run);
  };
  if (client.signal.aborted) leave();
  client.signal.addEventListener("abort", leave);
  const server = watchServerClosing(services, run.runId, stop);
  let result: Result;
  try {
    result = await work(stop.signal);
  } finally {
    client.signal.removeEventListener("abort", leave);
    server.release();
  }
  await server.requireEnd({ run_id: run.runId, thread_id: run.clientThreadId, trace_id: run.traceId });
  return result;
}

/**
 * Streams the run's rows after `cursor` until it has ended or needs a person; a client that disconnects cancels it,
 * unless detached.
 */
export function streamAttached(
  services: Services,
  run: ProjectedRun,
  client: Attached,
  { format, cursor }: { readonly format: StreamFormat; readonly cursor: number },
): Response {
  const onDisconnect = () => cancelIfAttached(services, client, run);
  const { signal } = client;
  return streamRun(services, run, { format, cursor, signal, onDisconnect });
}

/** Starts a run and streams it: S0's stream endpoint. All refusals happen before the stream opens. */
export async function streamAgent(services: Services, invocation: Invocation, format: StreamFormat): Promise<Response> {
  return streamAttached(services, await startInvocation(services, invocation), clientOf(invocation), {
    format,
    cursor: 0,
  });
}

function clientOf({ viewer, signal, body }: Invocation): Attached {
  return { ownerId: viewer.id, signal, detach: body.detach };
}

/** Starts the run of an invocation. Throws what refuses it before the run exists. */
export async function startInvocation(
  services: Services,
  { agentId, version: name, viewer, body, idempotencyKey, clientIds }: Omit<Invocation, "signal">,
): Promise<ProjectedRun> {
  const { database } = services;
  const version = await namedVersion(services, agentId, name, viewer);
  await refuseBlockedInput(database, { ownerId: viewer.id, version, messages: body.messages });
  const owner = { ownerId: viewer.id, agentId };
  await requireModelAccess(services, owner);
  const pictures = await readPictures(services, body.messages, version.config);
  const thread = await openThread(database, { viewer, agentId }, body.thread_id ?? threadOfKey(idempotencyKey));
  const messages = await Promise.all(
    body.messages.map(async ({ role, content }, index) => ({
      role,
      content,
      images: await keepPictures(database, thread.id, pictures[index] ?? []),
    })),
  );
  const { no_history: noHistory = false, default_response: defaultResponse, compact, trace } = body;
  const options = { noHistory, defaultResponse, compact, trace };
  const accepted = await startRun(database, {
    ...owner,
    access: accessOf(viewer),
    apiKeyId: viewer.keyId,
    origin: "api",
    threadId: thread.id,
    messages,
    idempotencyKey,
    ...(name === undefined ? {} : { versionId: version.id }),
    ...options,
    ...(clientIds ? { clientIds } : {}),
  });
  return { runId: accepted.runId, traceId: accepted.traceId, clientThreadId: thread.clientId };
}

/** A request that is sent again without a thread means the one that it made. */
function threadOfKey(idempotencyKey: string | undefined): string | undefined {
  const sender = idempotencyKey === undefined ? null : senderOfKey(idempotencyKey);
  return sender === null ? undefined : `once_${sender.slice(0, 32)}`;
}

function cancelIfAttached(services: Services, { detach, ownerId }: Attached, run: ProjectedRun): void {
  if (!detach) cancelLeft(services, { runId: run.runId, ownerId });
}

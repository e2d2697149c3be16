import { createHash } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import { cleanText } from "@/lib/agent/messages/clean-text";
import { senderOfKey } from "@/lib/schema/apis/request-key";
import { AppError } from "@/lib/schema/app-error";
import type { RunStatus } from "@/lib/schema/runs/run";
import { RunInput, type SentInput } from "@/lib/server/engine/run-input";
import { shownTraceId } from "@/lib/server/engine/trace-id";
import type { Database } from "@/lib/server/platform/db/database";
import { type SteerableRun, selectSteerable } from "@/lib/server/platform/db/queries/dispatch/queued-runs";

/** What tells a request that is sent once more from a new one. */
interface Repeatable {
  readonly threadId: string;
  readonly idempotencyKey?: string;
  readonly messages: readonly SentInput[];
  readonly continues?: { readonly runId: string; readonly how: string };
  readonly steers?: boolean;
}

export interface AcceptedRun {
  readonly runId: string;
  /** Null if no trace is kept. */
  readonly traceId: string | null;
  readonly status: RunStatus;
  /** The transcript id of the (last) user message; the assistant's for a continuation that adds none. */
  readonly messageId: string;
  readonly assistantMessageId: string;
}

export interface StoredMessage extends AcceptedRun {
  /** The run that carries the message while it is queued. */
  readonly queuedRunId: string;
  /** Whether the active run is to read the message. */
  readonly steered: boolean;
  /** The members who can read the thread's project. */
  readonly members?: readonly string[];
}

/**
 * What the request's key has stored already, whether it waits, has run or was read by another run; null for a new one.
 * Throws `conflict` if the key belongs to another message.
 */
export async function findRepeated(database: Database, request: Repeatable): Promise<StoredMessage | null> {
  const { threadId, idempotencyKey } = request;
  if (idempotencyKey === undefined) return null;
  const sender = senderOfKey(idempotencyKey);
  const key = sender === null ? idempotencyKey : { startsWith: sender };
  const run = await database.run.findFirst({ where: { threadId, idempotencyKey: key } });
  if (!run) return request.steers ? findReadSteer(database, request, idempotencyKey) : null;
  const isSame = sender === null ? isSamePost(run, request) : run.idempotencyKey === idempotencyKey;
  if (!isSame) throw new AppError("conflict", KEY_IN_USE);
  const { messages } = RunInput.parse(JSON.parse(run.input));
  const messageId = messages.findLast(({ role }) => role === "user")?.id ?? run.assistantMessageId;
  const steered = run.steersRunId === null ? null : await selectSteerable(database, threadId);
  if (steered?.id === run.steersRunId && steered) return steerReply(steered, messageId, run.id);
  return {
    runId: run.id,
    queuedRunId: run.id,
    steered: false,
    traceId: shownTraceId(run.traceId),
    status: run.status as RunStatus,
    messageId,
    assistantMessageId: run.assistantMessageId,
  };
}

/** A message that a run has read is no longer queued; its id identifies the request that sent it. */
async function findReadSteer(database: Database, request: Repeatable, key: string): Promise<StoredMessage | null> {
  const { threadId, messages } = request;
  const id = steerMessageId(threadId, key);
  const message = await database.transcriptMessage.findFirst({ where: { id, threadId } });
  if (!message) return null;
  if (message.text !== cleanText(messages.at(-1)?.content ?? "")) throw new AppError("conflict", KEY_IN_USE);
  const run = await database.run.findUniqueOrThrow({ where: { id: message.runId } });
  return { ...steerReply(run, id, run.id), steered: false };
}

/** The same message has the same id each time it is sent. */
export function steerMessageId(threadId: string, key: string): string {
  const sent = senderOfKey(key) ?? key;
  return `msg_${createHash("sha256").update(`${threadId}\n${sent}`).digest("hex").slice(0, 24)}`;
}

/** The reply to a steer names the run that reads it. */
export function steerReply(
  { id, traceId, status, assistantMessageId }: Omit<SteerableRun, "ownerId">,
  messageId: string,
  queuedRunId: string,
): StoredMessage {
  return {
    runId: id,
    queuedRunId,
    steered: true,
    traceId: shownTraceId(traceId),
    status: status as RunStatus,
    messageId,
    assistantMessageId,
  };
}

/** A key may only repeat its original request: any other would be acknowledged and lost. */
function isSamePost(run: { readonly input: string; readonly continuesRunId: string | null }, request: Repeatable) {
  const { continues } = request;
  const { messages, sent: first, isRetry = false } = RunInput.parse(JSON.parse(run.input));
  if (run.continuesRunId !== (continues?.runId ?? null)) return false;
  if (continues) return isRetry === (continues.how === "retry");
  const sent = request.messages.map(({ role, content }) => ({ role, content: cleanText(content) }));
  return isDeepStrictEqual(
    messages.map(({ role, content }, index) => ({ role, content: first?.[index] ?? content })),
    sent,
  );
}

const KEY_IN_USE =
  "This Idempotency-Key was already used in this thread for another message. Send this one with a key of its own.";

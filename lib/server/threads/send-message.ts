import "server-only";
import { AppError } from "@/lib/schema/app-error";
import type { RunStatus } from "@/lib/schema/runs/run";
import { startRun } from "@/lib/server/engine/accept";
import { database } from "@/lib/server/platform/db/database";
import { requireOwnThread } from "./thread-row";

interface SendMessage {
  readonly content: string;
  readonly model?: string;
  readonly continuesRunId?: string;
}

/**
 * Stores a person's message and starts or queues its run. With `continuesRunId` the ended run continues from the
 * history instead, and `content` is not used (see continueRun). The same idempotency key returns the same run.
 */
export async function sendMessage(
  threadId: string,
  ownerId: string,
  message: SendMessage,
  idempotencyKey: string | undefined,
): Promise<{ runId: string; messageId: string; status: RunStatus }> {
  const thread = await requireOwnThread(threadId, ownerId);
  const { continuesRunId, model: modelOverride } = message;
  const { runId, messageId, status } = await startRun(database(), {
    ownerId,
    threadId,
    agentId: thread.agentId,
    messages: continuesRunId === undefined ? [{ role: "user", content: message.content }] : [],
    modelOverride,
    continuesRunId,
    idempotencyKey,
  });
  return { runId, messageId, status };
}

/** The request's `Idempotency-Key`, if any. Throws `invalid_input` when it is longer than 200 characters. */
export function readIdempotencyKey(request: Request): string | undefined {
  const key = request.headers.get("idempotency-key") ?? undefined;
  if (key !== undefined && (key.length === 0 || key.length > 200)) {
    throw new AppError("invalid_input", "Idempotency-Key must have 1 to 200 characters.");
  }
  return key;
}

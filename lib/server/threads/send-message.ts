import "server-only";
import type { Effort } from "@/lib/schema/agents/choices";
import { AppError } from "@/lib/schema/app-error";
import type { ImageRef } from "@/lib/schema/messages/message";
import type { RunStatus } from "@/lib/schema/runs/run";
import type { SendMode } from "@/lib/schema/threads/queue";
import type { ContinueRunBody } from "@/lib/schema/threads/thread-requests";
import type { Viewer } from "@/lib/schema/users/user";
import { startRun } from "@/lib/server/engine/accept";
import type { Continuation } from "@/lib/server/engine/continue-run";
import { type AgentViewer, accessOf } from "@/lib/server/platform/db/queries/agent-access";
import type { Services } from "@/lib/server/platform/services";
import { homeInReach } from "@/lib/server/platform/within-reach";
import { requireChoice } from "@/lib/server/providers/check-choice";
import { requireModelAccess } from "@/lib/server/providers/model-access";
import { runNotFound } from "@/lib/server/views/get-run";
import { testOptions } from "./test-thread";
import { requireWritableThread } from "./thread-row";

interface SendMessage {
  readonly content: string;
  /** Images sent with the message, already stored. */
  readonly images?: ImageRef[];
  readonly model?: string;
  readonly effort?: Effort;
  /** An agent other than the thread's, for this answer only. */
  readonly agentId?: string;
  readonly mode?: SendMode;
}

interface SentMessage {
  readonly runId: string;
  readonly messageId: string;
  readonly status: RunStatus;
}

export type Sender = AgentViewer & Pick<Viewer, "keyId">;

/** Who sends something, and the key under which sending it again starts nothing new. */
export interface Sending {
  readonly sender: Sender;
  readonly idempotencyKey?: string;
}

/** Stores a person's message and starts or queues its run. The same idempotency key returns the same run. */
export async function sendMessage(
  services: Services,
  threadId: string,
  { sender, idempotencyKey }: Sending,
  message: SendMessage,
): Promise<SentMessage> {
  const { id: ownerId, keyId: apiKeyId } = sender;
  const thread = await requireWritableThread(services.database, threadId, sender);
  const { model, effort, agentId = thread.activeAgentId ?? thread.agentId } = message;
  const access = accessOf(sender);
  const tested = agentId === thread.agentId ? await testOptions(services, thread, sender) : {};
  await requireChoice(services, { ownerId, agentId, access, versionId: tested.versionId, model, effort });
  const { runId, messageId, status } = await startRun(services.database, {
    ownerId,
    threadId,
    agentId,
    messages: [{ role: "user", content: message.content, images: message.images }],
    modelOverride: model,
    effort,
    canHandOff: message.agentId === undefined,
    fromPerson: true,
    steers: message.mode === "steer",
    idempotencyKey,
    apiKeyId,
    access,
    ...tested,
  });
  return { runId, messageId, status };
}

/**
 * Continues or retries a run of the person's own thread (D-85); another person's is `not_found`. Throws `conflict` if
 * the run is not the thread's latest, has not ended unfinished, or is no longer recorded.
 */
export async function continueRun(
  services: Services,
  continues: Continuation,
  { sender, idempotencyKey }: Sending,
  chosen: ContinueRunBody,
): Promise<SentMessage> {
  const { id: ownerId, keyId: apiKeyId } = sender;
  const run = await services.database.run.findFirst({
    where: { id: continues.runId, ownerId, thread: { deletedAt: null, ...homeInReach(sender) } },
    select: {
      threadId: true,
      agentId: true,
      thread: { select: { isTest: true } },
      parentRunId: true,
      modelOverride: true,
    },
  });
  if (!run) throw runNotFound();
  if (run.parentRunId !== null) {
    throw new AppError("conflict", "This is the run of a subagent. Continue or retry the run that started it.");
  }
  const { threadId, agentId, modelOverride } = run;
  const { model, effort } = chosen ?? {};
  const tested = await testOptions(services, { id: threadId, agentId, isTest: run.thread.isTest }, sender);
  const access = accessOf(sender);
  await requireChoice(services, {
    ownerId,
    agentId,
    access,
    versionId: tested.versionId,
    model,
    effort,
    isAgain: true,
  });
  if (model === undefined && modelOverride !== null)
    await requireModelAccess(services, {
      ownerId,
      agentId,
      model: modelOverride,
      versionId: tested.versionId,
    });
  const request = {
    ownerId,
    threadId,
    agentId,
    messages: [],
    continues,
    idempotencyKey,
    apiKeyId,
    access,
    ...tested,
    modelOverride: model,
    effort,
    canHandOff: true,
  };
  const { runId, messageId, status } = await startRun(services.database, request);
  return { runId, messageId, status };
}

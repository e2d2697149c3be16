import type { z } from "zod";
import { markBack, markGone } from "@/lib/client/chat/thread-queries";
import { callApi, callJson } from "@/lib/client/http/api";
import { loadWithRetry } from "@/lib/client/http/load-with-retry";
import { randomId } from "@/lib/client/ui/random-id";
import type { Effort } from "@/lib/schema/agents/choices";
import type { QueuePatch, SendMode } from "@/lib/schema/threads/queue";
import type { SendMessageReply } from "@/lib/schema/threads/thread";
import type { UpdateThreadBody } from "@/lib/schema/threads/thread-requests";

const createdThread = async () =>
  (await loadWithRetry(() => import("@/lib/client/chat/page-schemas"))).PAGE_SCHEMAS.CreatedThread;
const sendMessageReply = async () =>
  (await loadWithRetry(() => import("@/lib/client/chat/page-schemas"))).PAGE_SCHEMAS.SendMessageReply;

export async function createThread(agentId: string): Promise<string> {
  const created = await callJson(createdThread, "/api/threads", { method: "POST", body: { agentId } });
  return created.id;
}

export interface SendMessage {
  readonly threadId: string;
  readonly content: string;
  readonly model?: string;
  readonly effort?: Effort;
  /** An agent other than the thread's, for this one answer. */
  readonly agentId?: string;
  readonly mode?: SendMode;
  /** Idempotency key: the server accepts the message once. */
  readonly key?: string;
}

export function sendMessage({ threadId, key = randomId(), ...body }: SendMessage): Promise<SendMessageReply> {
  return callJson(sendMessageReply, `/api/threads/${encodeURIComponent(threadId)}/messages`, {
    method: "POST",
    body,
    headers: { "idempotency-key": key },
  });
}

const queuePath = (threadId: string, id: string) =>
  `/api/threads/${encodeURIComponent(threadId)}/queue/${encodeURIComponent(id)}`;

/** `id` is that of the message or of its run. */
export async function changeQueued(threadId: string, id: string, patch: QueuePatch): Promise<void> {
  await callApi(queuePath(threadId, id), { method: "PATCH", body: patch });
}

export async function removeQueued(threadId: string, id: string): Promise<void> {
  await callApi(queuePath(threadId, id), { method: "DELETE" });
}

/** Continue resumes from what an ended run has done; Retry repeats its failed step (D-85). */
export type NextStep = "continue" | "retry";

/** A Retry's overrides of the run's own choice. */
export interface ChosenStep {
  readonly model: string;
}

export function postNextStep(runId: string, step: NextStep, chosen?: ChosenStep): Promise<SendMessageReply> {
  return callJson(sendMessageReply, `/api/runs/${encodeURIComponent(runId)}/${step}`, {
    method: "POST",
    ...(chosen ? { body: chosen } : {}),
    headers: { "idempotency-key": randomId() },
  });
}

/** Asks the run to stop; it ends as cancelled within moments. */
export async function cancelRun(runId: string): Promise<void> {
  await callApi(`/api/runs/${encodeURIComponent(runId)}/cancel`, { method: "POST" });
}

/** Sends these messages that a stop has held, or all of one's own. */
export async function releaseHeld(threadId: string, ids?: readonly string[]): Promise<void> {
  const path = `/api/threads/${encodeURIComponent(threadId)}/queue/release`;
  await callApi(path, { method: "POST", ...(ids ? { body: { ids } } : {}) });
}

/** Has the model that answered first name the thread; the feed tells every page of a new title. */
export async function askForTitle(threadId: string): Promise<void> {
  await callApi(`/api/threads/${encodeURIComponent(threadId)}/title`, { method: "POST" });
}

export async function updateThread(threadId: string, change: z.input<typeof UpdateThreadBody>): Promise<void> {
  await callApi(`/api/threads/${encodeURIComponent(threadId)}`, { method: "PATCH", body: change });
}

export async function deleteThread(threadId: string): Promise<void> {
  markGone(threadId);
  try {
    await callApi(`/api/threads/${encodeURIComponent(threadId)}`, { method: "DELETE" });
  } catch (error) {
    markBack(threadId);
    throw error;
  }
}

/** Undoes a deletion. */
export async function restoreThread(threadId: string): Promise<void> {
  await callApi(`/api/threads/${encodeURIComponent(threadId)}/restore`, { method: "POST" });
  markBack(threadId);
}

export function exportThreadsUrl(ids: readonly string[], format: "json" | "md"): string {
  return `/api/threads/export?format=${format}&ids=${ids.map(encodeURIComponent).join(",")}`;
}

export function exportThreadUrl(threadId: string, format: "json" | "md"): string {
  return `/api/threads/${encodeURIComponent(threadId)}/export?format=${format}`;
}

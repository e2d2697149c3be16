import type { QueryClient } from "@tanstack/react-query";
import { threadQuery } from "@/lib/client/chat/thread-queries";
import { callApi, callJson } from "@/lib/client/http/api";
import { randomId } from "@/lib/client/ui/random-id";
import { SendMessageReply, ThreadDetail } from "@/lib/schema/threads/thread";
import { type EditMessageBody, ForkThreadReply, type RegenerateBody } from "@/lib/schema/threads/thread-requests";

export interface MessagePlace {
  readonly threadId: string;
  readonly messageId: string;
}

function threadPath(threadId: string): string {
  return `/api/threads/${encodeURIComponent(threadId)}`;
}

/** Sends a reworded message; the page then shows that branch. */
export async function editMessage(client: QueryClient, place: MessagePlace, body: EditMessageBody): Promise<void> {
  await postBranch(place, "edit", body);
  await reloadThread(client, place.threadId);
}

/** Answers a message again; the page then shows that branch. */
export async function regenerate(client: QueryClient, place: MessagePlace, body: RegenerateBody): Promise<void> {
  await postBranch(place, "regenerate", body);
  await reloadThread(client, place.threadId);
}

function postBranch({ threadId, messageId }: MessagePlace, how: "edit" | "regenerate", body: object) {
  return callJson(SendMessageReply, `${threadPath(threadId)}/messages/${encodeURIComponent(messageId)}/${how}`, {
    method: "POST",
    body,
    headers: { "idempotency-key": randomId() },
  });
}

/** Shows the newest branch with the message, on every page of the thread. */
export async function chooseBranch(client: QueryClient, { threadId, messageId }: MessagePlace): Promise<void> {
  await callApi(`${threadPath(threadId)}/branch`, { method: "PUT", body: { messageId } });
  await reloadThread(client, threadId);
}

/** A new thread with everything up to the message; resolves to its id. */
export async function forkThread(
  { threadId, messageId }: MessagePlace,
  carry: { readonly files: boolean; readonly todos: boolean },
): Promise<string> {
  const body = { messageId, carry };
  return (await callJson(ForkThreadReply, `${threadPath(threadId)}/fork`, { method: "POST", body })).id;
}

/** Starting with its newest messages: another branch may begin before what was loaded of this one. */
async function reloadThread(client: QueryClient, threadId: string): Promise<void> {
  const { queryKey } = threadQuery(threadId);
  await client.cancelQueries({ queryKey });
  client.setQueryData(queryKey, await callJson(ThreadDetail, threadPath(threadId)));
}

import type { EventSourceMessage } from "eventsource-parser";
import { z } from "zod";
import type { FollowOptions } from "@/lib/api-client/follow-events";
import { ApiError } from "@/lib/client/http/api";
import { followEvents } from "@/lib/client/http/event-stream";
import { draftedMessage, foldUiChunk, type MessageDraft, newMessageDraft } from "@/lib/schema/messages/fold-ui-chunks";
import { UiChunk } from "@/lib/schema/messages/ui-chunk";
import { readThreadFrame, type ThreadFrame } from "@/lib/schema/threads/thread-stream";
import type { ChatMessage } from "./chat-message";

/** One event of a thread's stream: a frame, or a chunk of the run between two of them. */
export type ThreadEvent = ThreadFrame | { readonly kind: "chunk"; readonly chunk: UiChunk };

/** `events` belong together: those of one stored row, or a single one. `cursor` is the position after them. */
export type ThreadUpdate =
  | { readonly kind: "connected" | "lost" }
  | { readonly kind: "events"; readonly events: readonly ThreadEvent[]; readonly cursor: string | null };

/** A thread's runs, one after the other, from `cursor` on until `signal` aborts. */
export async function* followThread(threadId: string, options: FollowOptions): AsyncGenerator<ThreadUpdate> {
  let row: ThreadEvent[] = [];
  for await (const update of followEvents(`/api/threads/${encodeURIComponent(threadId)}/stream`, options)) {
    if (update.kind !== "event") {
      row = [];
      yield { kind: update.kind };
      continue;
    }
    const event = readThreadEvent(update.event);
    if (event === null) continue;
    row.push(event);
    const { id: cursor = null } = update.event;
    if (cursor === null && !WITHOUT_CURSOR.includes(event.kind)) continue;
    yield { kind: "events", events: row, cursor };
    row = [];
  }
}

const WITHOUT_CURSOR: readonly ThreadEvent["kind"][] = ["reset", "thread-compacted", "queue-changed"];

/** Null for a frame that only a newer page knows. */
function readThreadEvent({ data }: EventSourceMessage): ThreadEvent | null {
  const sent: unknown = JSON.parse(data);
  const frame = readThreadFrame(sent);
  if (frame !== null) return frame;
  return Transient.safeParse(sent).success ? null : { kind: "chunk", chunk: parseChunk(sent) };
}

/** What no message keeps. */
const Transient = z.object({ type: z.string(), transient: z.literal(true) });

const ENDS: readonly UiChunk["type"][] = ["finish", "abort", "error"];

/** A run's reply after each of its rows, up to the last one or until the run waits for a person. */
export async function* followReply(runId: string, options: FollowOptions): AsyncGenerator<ChatMessage> {
  const draft = newMessageDraft();
  for await (const row of followRows(runId, options)) {
    for (const chunk of row) foldUiChunk(draft, chunk);
    if (draft.id !== "") yield replyOf(draft);
    if (row.some(({ type }) => ENDS.includes(type))) return;
  }
}

/** The chunks of one row together: only the last of them has an id. */
async function* followRows(runId: string, options: FollowOptions): AsyncGenerator<UiChunk[]> {
  let row: UiChunk[] = [];
  for await (const update of followEvents(`/api/runs/${encodeURIComponent(runId)}/stream`, options)) {
    if (update.kind !== "event") {
      row = [];
      continue;
    }
    const { id, data } = update.event;
    if (data === "[DONE]") return;
    row.push(parseChunk(JSON.parse(data)));
    if (id === undefined) continue;
    yield row;
    row = [];
  }
}

/** A copy of the current reply; the draft continues. The parts that our projection writes are the AI SDK's. */
export function replyOf(draft: MessageDraft): ChatMessage {
  return draftedMessage(draft) as unknown as ChatMessage;
}

function parseChunk(sent: unknown): UiChunk {
  const parsed = UiChunk.safeParse(sent);
  if (parsed.success) return parsed.data;
  throw new ApiError(
    "The run sent something this page does not understand. Reload the page.",
    200,
    "unexpected_chunk",
    null,
  );
}

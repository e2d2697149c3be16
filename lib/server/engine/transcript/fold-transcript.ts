import { draftedMessage, foldUiChunk, newMessageDraft } from "@/lib/schema/messages/fold-ui-chunks";
import type { UiChunk } from "@/lib/schema/messages/ui-chunk";
import type { StoredRunEvent } from "@/lib/schema/runs/run-event";
import { uiProjection } from "./project-ui";
import type { ChatChunk, ChatMessage } from "./ui-projection-state";

/** A run's assistant message as the chat has it after the stream; null for a run without rows. */
export function foldTranscript(events: readonly StoredRunEvent[]): ChatMessage | null {
  if (events.length === 0) return null;
  const project = uiProjection();
  return foldChunks([...mergeDeltas(events)].flatMap((row) => project(row)));
}

/** The message produced by these chunks of the UI projection, as the browser shows it after reading them. */
export function foldChunks(chunks: Iterable<ChatChunk>): ChatMessage {
  const draft = newMessageDraft();
  for (const chunk of chunks) foldUiChunk(draft, chunk as UiChunk);
  return draftedMessage(draft) as unknown as ChatMessage;
}

/** Adjacent deltas of one part as one row, numbered like the first: the folded message is the same. */
function* mergeDeltas(events: Iterable<StoredRunEvent>): Iterable<StoredRunEvent> {
  let pending: StoredRunEvent | null = null;
  for (const row of events) {
    const merged: StoredRunEvent | null = pending && joinDelta(pending, row);
    if (merged) {
      pending = merged;
      continue;
    }
    if (pending) yield pending;
    pending = row;
  }
  if (pending) yield pending;
}

function joinDelta(left: StoredRunEvent, right: StoredRunEvent): StoredRunEvent | null {
  const [a, b] = [left.event, right.event];
  if (a.type !== "text.delta" && a.type !== "reasoning.delta") return null;
  if (b.type !== a.type || b.step !== a.step) return null;
  return { ...left, event: { ...a, delta: a.delta + b.delta } };
}

/** The plain text of a message, for search, export and titles. */
export function plainText(parts: readonly { readonly type: string; readonly text?: unknown }[]): string {
  return parts
    .flatMap((part) => (part.type === "text" && typeof part.text === "string" ? [part.text] : []))
    .join("\n\n");
}

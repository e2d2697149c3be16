import { readUIMessageStream } from "ai";
import type { StoredRunEvent } from "@/lib/schema/run-event";
import { uiProjection } from "./project-ui";
import type { ChatChunk, ChatMessage } from "./ui-projection-state";

/**
 * The assistant's message of a run as `useChat` holds it after the stream, folded by the AI SDK itself. Each step is
 * folded alone and the parts are joined: the AI SDK copies the whole message per chunk, which grows with the square.
 */
export async function foldTranscript(events: readonly StoredRunEvent[]): Promise<ChatMessage | null> {
  const project = uiProjection();
  const steps: ChatChunk[][] = [[]];
  for (const row of mergeDeltas(events)) {
    for (const chunk of project(row)) {
      if (chunk.type === "start-step") steps.push([]);
      steps.at(-1)?.push(chunk);
    }
  }
  const folded = await Promise.all(steps.map(foldChunks));
  const first = folded[0];
  if (!first) return null;
  const metadata = Object.assign({}, ...folded.map((message) => message?.metadata ?? {}));
  return { id: first.id, role: "assistant", metadata, parts: joinParts(folded) };
}

async function foldChunks(chunks: readonly ChatChunk[]): Promise<ChatMessage | null> {
  const stream = new ReadableStream<ChatChunk>({
    start(controller) {
      for (const chunk of chunks) controller.enqueue(chunk);
      controller.close();
    },
  });
  let last: ChatMessage | null = null;
  for await (const message of readUIMessageStream<ChatMessage>({ stream })) last = message;
  return last;
}

/** Data parts with an id replace the earlier part of that id, as they do within one stream. */
function joinParts(messages: readonly (ChatMessage | null)[]): ChatMessage["parts"] {
  const joined: ChatMessage["parts"] = [];
  const indexes = new Map<string, number>();
  for (const part of messages.flatMap((message) => message?.parts ?? [])) {
    const key = "data" in part && part.id !== undefined ? `${part.type} ${part.id}` : null;
    const known = key === null ? undefined : indexes.get(key);
    if (known !== undefined) {
      joined[known] = part;
      continue;
    }
    if (key !== null) indexes.set(key, joined.length);
    joined.push(part);
  }
  return joined;
}

/** Neighbouring deltas of one part as one row, numbered like the first: the folded message is the same. */
export function* mergeDeltas(events: Iterable<StoredRunEvent>): Iterable<StoredRunEvent> {
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

import type { ChatMessage } from "@/lib/client/chat/chat-message";
import { draftedMessage, foldUiChunk, newMessageDraft } from "@/lib/schema/fold-ui-chunks";
import type { UiChunk } from "@/lib/schema/ui-chunk";

/** A run that failed says so at its end; its message has a notice that says more. */
class RunFailed extends Error {
  override readonly name = "RunFailed";
}

/**
 * The reply of a run after each of its chunks, from the first one that names it on. Throws RunFailed where the stream
 * ends in an error, and what the stream throws.
 */
export async function* readReply(stream: ReadableStream<UiChunk>): AsyncGenerator<ChatMessage> {
  const draft = newMessageDraft();
  const reader = stream.getReader();
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) {
      if (next.value.type === "error") throw new RunFailed(next.value.errorText);
      foldUiChunk(draft, next.value);
      // The parts that our projection writes are the AI SDK's.
      if (draft.id !== "") yield draftedMessage(draft) as unknown as ChatMessage;
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}

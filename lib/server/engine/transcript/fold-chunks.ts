import { draftedMessage, foldUiChunk, newMessageDraft } from "@/lib/schema/fold-ui-chunks";
import type { UiChunk } from "@/lib/schema/ui-chunk";
import type { ChatChunk, ChatMessage } from "./ui-projection-state";

/** The message that these chunks of our projection produce, as the browser shows it after reading them. */
export function foldChunks(chunks: Iterable<ChatChunk>): ChatMessage {
  const draft = newMessageDraft();
  for (const chunk of chunks) foldUiChunk(draft, chunk as UiChunk);
  return draftedMessage(draft) as unknown as ChatMessage;
}

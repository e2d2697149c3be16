import type { UIMessage } from "ai";
import type { DataParts, MessageMetadata } from "@/lib/schema/messages/ui-message";
import type { TranscriptMessage } from "@/lib/schema/threads/thread";

/** A chat message: the AI SDK's, with our facts and data parts. */
export type ChatMessage = UIMessage<MessageMetadata, DataParts>;

/** Stored rows were folded by the AI SDK on the server, so their parts are the SDK's. */
export function toChatMessages(messages: readonly TranscriptMessage[]): ChatMessage[] {
  return messages as unknown as ChatMessage[];
}

/** The transcript without messages still in the queue, which the composer shows, and without those removed from it. */
export function visibleMessages(stored: readonly TranscriptMessage[], queued: ReadonlySet<string>): ChatMessage[] {
  return toChatMessages(stored).filter(
    (message) =>
      !queued.has(message.metadata?.runId ?? "") && !wasWithdrawn(message.metadata) && !isReadInReply(message),
  );
}

/** A steer that was read appears in the reply of the run that read it. */
function isReadInReply({ role, parts }: ChatMessage): boolean {
  return role === "user" && parts.some(({ type }) => type === "data-steer");
}

/** Cancelled before it began: its message never reached the model. */
function wasWithdrawn(metadata: MessageMetadata | undefined): boolean {
  if (metadata?.status !== "cancelled") return false;
  return metadata.startedAtMs === undefined || metadata.startedAtMs === metadata.endedAtMs;
}

/** Whether this is the message with the id, or the reply in which that message was read. */
export function hasMessage({ id, parts }: ChatMessage, messageId: string | null): boolean {
  return id === messageId || parts.some((part) => part.type === "data-steer" && part.data.messageId === messageId);
}

/** False for what is left of a silent reply (D-40): no empty bubble. */
export function isShown({ metadata, parts }: ChatMessage): boolean {
  return metadata?.silent !== true || parts.some(({ type }) => type !== "step-start");
}

type Part = ChatMessage["parts"][number];
type AskPart = Extract<Part, { type: "data-approval" | "data-question" | "data-budget" | "data-connect" }>;
const ASK_PARTS: ReadonlySet<string> = new Set(["data-approval", "data-question", "data-budget", "data-connect"]);

/** Whether the part is something a person is or was asked. */
export function isAskPart(part: Part): part is AskPart {
  return ASK_PARTS.has(part.type);
}

/** All the text of a message, for copying. */
export function messageText(message: ChatMessage): string {
  return message.parts
    .flatMap((part) => (part.type === "text" ? [part.text] : []))
    .join("\n\n")
    .trim();
}

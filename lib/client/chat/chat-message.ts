import type { UIMessage } from "ai";
import type { DataParts, MessageMetadata } from "@/lib/schema/messages/ui-message";
import type { TranscriptMessage } from "@/lib/schema/threads/thread";

/** A message of the chat: the AI SDK's, with our facts and data parts. */
export type ChatMessage = UIMessage<MessageMetadata, DataParts>;

/** Stored rows were folded by the AI SDK on the server, so their parts are its parts. */
export function toChatMessages(messages: readonly TranscriptMessage[]): ChatMessage[] {
  return messages as unknown as ChatMessage[];
}

/** The transcript without what still waits in the queue, shown at the composer, and what was taken out of it. */
export function visibleMessages(stored: readonly TranscriptMessage[], queued: ReadonlySet<string>): ChatMessage[] {
  return toChatMessages(stored).filter(
    (message) =>
      !queued.has(message.metadata?.runId ?? "") && !wasWithdrawn(message.metadata) && !isReadInReply(message),
  );
}

/** A steer stands in the reply of the run that read it, where that was. */
function isReadInReply({ role, parts }: ChatMessage): boolean {
  return role === "user" && parts.some(({ type }) => type === "data-steer");
}

/** Cancelled before it began: its message never reached the model. */
function wasWithdrawn(metadata: MessageMetadata | undefined): boolean {
  if (metadata?.status !== "cancelled") return false;
  return metadata.startedAtMs === undefined || metadata.startedAtMs === metadata.endedAtMs;
}

/** Whether it is the message with this id, or the reply in which that one was read. */
export function hasMessage({ id, parts }: ChatMessage, messageId: string | null): boolean {
  return id === messageId || parts.some((part) => part.type === "data-steer" && part.data.messageId === messageId);
}

/** False for what is left of a silent reply (D-40): no bubble without anything in it. */
export function isShown({ metadata, parts }: ChatMessage): boolean {
  return metadata?.silent !== true || parts.some(({ type }) => type !== "step-start");
}

type Part = ChatMessage["parts"][number];
type AskPart = Extract<Part, { type: "data-approval" | "data-question" | "data-budget" | "data-connect" }>;
const ASK_PARTS: ReadonlySet<string> = new Set(["data-approval", "data-question", "data-budget", "data-connect"]);

/** Whether the part is something that a person is or was asked. */
export function isAskPart(part: Part): part is AskPart {
  return ASK_PARTS.has(part.type);
}

/** All text of a message, for copying. */
export function messageText(message: ChatMessage): string {
  return message.parts
    .flatMap((part) => (part.type === "text" ? [part.text] : []))
    .join("\n\n")
    .trim();
}

import type { Message } from "@/lib/schema/messages/message";
import { createId } from "@/lib/server/platform/create-id";
import { insertTranscriptMessageStatement } from "@/lib/server/platform/db/queries/messages";
import type { SqlStatement } from "@/lib/server/platform/db/sqlite-writer";

interface SentPlace {
  readonly threadId: string;
  readonly runId: string;
  /** Of the first. */
  readonly position: number;
  readonly createdAt: Date;
}

/** What a person sent, as the transcript shows it from `position` on. */
export function sentStatements(messages: readonly Message[], { position, ...place }: SentPlace): SqlStatement[] {
  return messages
    .filter(({ role }) => role === "user")
    .map(({ id, content }, index) =>
      insertTranscriptMessageStatement({
        ...place,
        id: id ?? createId("msg"),
        position: position + index,
        role: "user",
        parts: JSON.stringify([{ type: "text", text: content }]),
        text: content,
      }),
    );
}

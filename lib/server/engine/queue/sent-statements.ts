import type { Message } from "@/lib/schema/messages/message";
import { createId } from "@/lib/server/platform/create-id";
import { insertTranscriptMessageStatement } from "@/lib/server/platform/db/queries/messages";
import type { SqlStatement } from "@/lib/server/platform/db/sql-statement";

interface SentPlace {
  readonly threadId: string;
  readonly runId: string;
  /** The first message's position. */
  readonly position: number;
  readonly createdAt: Date;
}

/** A person's messages, as the transcript shows them from `position` on. */
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

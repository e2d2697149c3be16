import type { UserMessage } from "@/lib/schema/messages/message";
import { RunInput } from "@/lib/server/engine/run-input";
import type { QueuedMessageRow } from "@/lib/server/platform/db/queries/dispatch/queued-runs";

/** A message in the queue: its row, and the person's text. */
export interface QueuedMessage {
  readonly row: QueuedMessageRow;
  readonly input: RunInput;
  readonly message: UserMessage & { readonly id: string };
}

export function toQueuedMessage(row: QueuedMessageRow): QueuedMessage {
  const input = RunInput.parse(JSON.parse(row.input));
  const last = input.messages.findLast((message) => message.role === "user");
  return { row, input, message: { role: "user", content: "", ...last, id: last?.id ?? row.id } };
}

/**
 * False for a message that only waits for its process because it already has its place in the transcript, and for the
 * run of an agent that takes over, which carries no message.
 */
export function isInQueue({ input }: QueuedMessage): boolean {
  return input.transcriptPosition === null && (input.handoffs ?? 0) === 0;
}

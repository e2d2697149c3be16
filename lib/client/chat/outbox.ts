import type { RunChat } from "./run-chat";
import { type SendMessage, sendMessage } from "./thread-actions";

export type OutgoingMessage = Omit<SendMessage, "threadId">;

/** The message of a thread that is on its way to the server. */
export interface Outbox {
  readonly message: OutgoingMessage;
  /** Resolves to the run that answers it. */
  readonly accepted: PromiseWithResolvers<string>;
}

/**
 * Shows the message at once and settles as soon as the server has taken it; where it has not, once the chat has let go
 * of the reply, which it takes for a stream that could not be followed.
 */
export function sendNow(outbox: { current: Outbox | null }, message: OutgoingMessage, show: RunChat["send"]) {
  const accepted = Promise.withResolvers<string>();
  outbox.current = { message, accepted };
  const read = show(message.content);
  return accepted.promise.then(
    () => undefined,
    async (error: unknown) => {
      await read;
      throw error;
    },
  );
}

/** The run of the message that is on its way, once it is taken; else the one that is followed. */
export function newestRun(
  followed: { current: string | null },
  outbox: { current: Outbox | null },
): Promise<string | null> {
  return outbox.current?.accepted.promise.catch(() => null) ?? Promise.resolve(followed.current);
}

/** Asks the server to take a message: the one in the outbox, where there is one. */
export async function deliver(outbox: Outbox | null, message: SendMessage): Promise<{ runId: string }> {
  try {
    const reply = await sendMessage({ ...outbox?.message, ...message });
    outbox?.accepted.resolve(reply.runId);
    return reply;
  } catch (error) {
    outbox?.accepted.reject(error);
    throw error;
  }
}

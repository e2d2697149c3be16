import type { ChatTransport } from "ai";
import { type ChatMessage, messageText } from "./chat-message";
import { type ConnectionState, openRunStream } from "./run-stream";

export interface RunTransportOptions {
  /** Sends the text to the thread and returns the run that answers it. */
  readonly send: (text: string) => Promise<{ runId: string }>;
  /** The run that is going on, null when none is. */
  readonly activeRunId: () => string | null;
  readonly onConnection?: (state: ConnectionState) => void;
}

/**
 * Runs outlive requests: sending is one short POST, the reply is a stream that anybody may open again. Reconnecting
 * replays the whole run, which `useChat` folds to the same message however often it happens. Leaving the page closes
 * the stream, never the run; stopping a run is the API's cancel.
 */
export function createRunTransport(options: RunTransportOptions): ChatTransport<ChatMessage> {
  const open = (runId: string, signal?: AbortSignal) =>
    openRunStream(runId, { signal, onConnection: options.onConnection });
  return {
    resumeStreamIsReplay: true,
    async sendMessages({ messages, abortSignal }) {
      const last = messages.at(-1);
      const { runId } = await options.send(last ? messageText(last) : "");
      return open(runId, abortSignal);
    },
    async reconnectToStream({ abortSignal }) {
      const runId = options.activeRunId();
      return runId === null ? null : open(runId, abortSignal);
    },
  };
}

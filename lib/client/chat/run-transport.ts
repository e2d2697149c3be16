import type { UiChunk } from "@/lib/schema/ui-chunk";
import { type ConnectionState, openRunStream } from "./run-stream";

export interface RunTransportOptions {
  /** Sends the text to the thread and returns the run that answers it. */
  readonly send: (text: string) => Promise<{ runId: string }>;
  /** The run that is going on, null when none is. */
  readonly activeRunId: () => string | null;
  readonly onConnection?: (state: ConnectionState) => void;
}

export interface RunTransport {
  /** Sends a message and opens the reply to it. */
  readonly send: (text: string, signal: AbortSignal) => Promise<ReadableStream<UiChunk>>;
  /** Opens the run that goes on, from its first chunk; null when none does. */
  readonly resume: (signal: AbortSignal) => Promise<ReadableStream<UiChunk> | null>;
}

/**
 * Runs outlive requests: sending is one short POST, the reply is a stream that anybody may open again. Reconnecting
 * replays the whole run, which folds to the same message however often it happens. Leaving the page closes the stream,
 * never the run; stopping a run is the API's cancel.
 */
export function createRunTransport(options: RunTransportOptions): RunTransport {
  const open = (runId: string, signal: AbortSignal) =>
    openRunStream(runId, { signal, onConnection: options.onConnection });
  return {
    async send(text, signal) {
      const { runId } = await options.send(text);
      return open(runId, signal);
    },
    async resume(signal) {
      const runId = options.activeRunId();
      return runId === null ? null : open(runId, signal);
    },
  };
}

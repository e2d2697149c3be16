import { ApiError } from "@/lib/client/ui/api";
import { delayAfter, isPassing, openEventStream, type WaitForAttempt, waitFor } from "@/lib/client/ui/open-stream";
import { readEventStream } from "@/lib/client/ui/read-event-stream";
import { UiChunk } from "@/lib/schema/ui-chunk";

const ENDS: readonly UiChunk["type"][] = ["finish", "abort", "error"];

export type ConnectionState = "connected" | "reconnecting";

export interface RunStreamOptions {
  readonly signal?: AbortSignal;
  readonly onConnection?: (state: ConnectionState) => void;
  readonly wait?: WaitForAttempt;
}

/**
 * The chunks of a run from its first one to its last, or to where it waits for a person. A connection that breaks is
 * opened again behind the last row that arrived whole: the chunks of one row are passed on together, because only the
 * last of them carries the id.
 */
export function openRunStream(runId: string, options: RunStreamOptions = {}): ReadableStream<UiChunk> {
  const stop = new AbortController();
  const signal = options.signal ? AbortSignal.any([options.signal, stop.signal]) : stop.signal;
  const rows = followRun(runId, { ...options, signal });
  return new ReadableStream<UiChunk>({
    async pull(controller) {
      try {
        const next = await rows.next();
        if (next.done) controller.close();
        else for (const chunk of next.value) controller.enqueue(chunk);
      } catch (error) {
        controller.error(error);
      }
    },
    cancel: () => stop.abort(),
  });
}

async function* followRun(
  runId: string,
  { signal, onConnection, wait = waitFor }: RunStreamOptions,
): AsyncGenerator<UiChunk[]> {
  const cursor: Cursor = { lastId: null, failures: 0, isDone: false };
  while (!signal?.aborted) {
    for await (const chunks of readUntilBreak(runId, cursor, { signal, onConnection })) {
      yield chunks;
      if (chunks.some((chunk) => ENDS.includes(chunk.type))) return;
    }
    if (signal?.aborted || cursor.isDone) return;
    onConnection?.("reconnecting");
    await wait(delayAfter(cursor.failures), signal);
    cursor.failures += 1;
  }
}

interface Cursor {
  lastId: string | null;
  /** Attempts since the last row that arrived. */
  failures: number;
  /** The server has said that nothing more comes for now: a run that waits for a person. */
  isDone: boolean;
}

/** Ends where the connection broke; throws only what another attempt would meet again. */
async function* readUntilBreak(runId: string, cursor: Cursor, options: RunStreamOptions): AsyncGenerator<UiChunk[]> {
  try {
    for await (const { id, chunks } of readRows(runId, cursor, options)) {
      cursor.lastId = id;
      cursor.failures = 0;
      yield chunks;
    }
  } catch (error) {
    if (!options.signal?.aborted && !isPassing(error)) throw error;
  }
}

async function* readRows(runId: string, cursor: Cursor, { signal, onConnection }: RunStreamOptions) {
  const path = `/api/runs/${encodeURIComponent(runId)}/stream`;
  const reply = await openEventStream(path, { lastId: cursor.lastId, signal });
  // Not only with the next row: a run may say nothing for long.
  onConnection?.("connected");
  if (reply.body === null) return;
  let chunks: UiChunk[] = [];
  for await (const { id, data } of readEventStream(reply.body)) {
    if (data === "[DONE]") {
      cursor.isDone = true;
      return;
    }
    chunks.push(parseChunk(data));
    if (id === undefined) continue;
    yield { id, chunks };
    chunks = [];
  }
}

function parseChunk(data: string): UiChunk {
  const parsed = UiChunk.safeParse(JSON.parse(data));
  if (parsed.success) return parsed.data;
  throw new ApiError("The run sent something this page does not know. Reload the page.", 200, "unexpected_chunk", null);
}

import { type UIMessageChunk, uiMessageChunkSchema } from "ai";
import { ApiError, callApi } from "./api";
import { readEventStream } from "./read-event-stream";

const FIRST_WAIT_MS = 300;
const LONGEST_WAIT_MS = 8000;
const ENDS: readonly UIMessageChunk["type"][] = ["finish", "abort", "error"];

export type ConnectionState = "connected" | "reconnecting";

export interface RunStreamOptions {
  readonly signal?: AbortSignal;
  readonly onConnection?: (state: ConnectionState) => void;
  /** Waits between two attempts; replaced in tests. */
  readonly wait?: (delayMs: number, signal?: AbortSignal) => Promise<void>;
}

/**
 * The chunks of a run from its first one to its last, or to where it waits for a person. A connection that breaks is opened again behind the last row
 * that arrived whole: the chunks of one row are passed on together, because only the last of them carries the id.
 */
export function openRunStream(runId: string, options: RunStreamOptions = {}): ReadableStream<UIMessageChunk> {
  const stop = new AbortController();
  const signal = options.signal ? AbortSignal.any([options.signal, stop.signal]) : stop.signal;
  const rows = followRun(runId, { ...options, signal });
  return new ReadableStream<UIMessageChunk>({
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
): AsyncGenerator<UIMessageChunk[]> {
  const cursor: Cursor = { lastId: null, failures: 0, isDone: false };
  while (!signal?.aborted) {
    for await (const chunks of readUntilBreak(runId, cursor, signal)) {
      onConnection?.("connected");
      yield chunks;
      if (chunks.some((chunk) => ENDS.includes(chunk.type))) return;
    }
    if (signal?.aborted || cursor.isDone) return;
    onConnection?.("reconnecting");
    await wait(Math.min(FIRST_WAIT_MS * 2 ** cursor.failures, LONGEST_WAIT_MS), signal);
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
async function* readUntilBreak(runId: string, cursor: Cursor, signal?: AbortSignal): AsyncGenerator<UIMessageChunk[]> {
  try {
    for await (const { id, chunks } of readRows(runId, cursor, signal)) {
      cursor.lastId = id;
      cursor.failures = 0;
      yield chunks;
    }
  } catch (error) {
    if (!signal?.aborted && !isPassing(error)) throw error;
  }
}

async function* readRows(runId: string, cursor: Cursor, signal?: AbortSignal) {
  const { lastId } = cursor;
  const reply = await callApi(`/api/runs/${encodeURIComponent(runId)}/stream`, {
    signal,
    headers: { accept: "text/event-stream", ...(lastId === null ? {} : { "last-event-id": lastId }) },
  });
  if (reply.body === null) return;
  let chunks: UIMessageChunk[] = [];
  for await (const { id, data } of readEventStream(reply.body)) {
    if (data === "[DONE]") {
      cursor.isDone = true;
      return;
    }
    chunks.push(await parseChunk(data));
    if (id === null) continue;
    yield { id, chunks };
    chunks = [];
  }
}

async function parseChunk(data: string): Promise<UIMessageChunk> {
  const schema = uiMessageChunkSchema();
  const value: unknown = JSON.parse(data);
  const parsed = await schema.validate?.(value);
  if (parsed === undefined || parsed.success) return (parsed?.value ?? value) as UIMessageChunk;
  throw new ApiError("The run sent something this page does not know. Reload the page.", 200, "unexpected_chunk", null);
}

/** Broken connections, restarts and overload pass; a refusal does not. */
function isPassing(error: unknown): boolean {
  if (!(error instanceof ApiError)) return !(error instanceof SyntaxError);
  return error.status === 0 || error.status === 429 || error.status === 503 || error.status === 502;
}

function waitFor(delayMs: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(done, delayMs);
    function done() {
      clearTimeout(timer);
      signal?.removeEventListener("abort", done);
      resolve();
    }
    signal?.addEventListener("abort", done);
  });
}

import { EventEmitter } from "node:events";
import { withoutRequest } from "@/lib/server/platform/request-context";
import { type Services, serviceState } from "@/lib/server/platform/services";

/** One Server-Sent Event. `data` is sent as JSON, a string unchanged. */
export interface ServerSentEvent {
  readonly id?: number | string;
  readonly event?: string;
  readonly data: unknown;
}

/** The header by which clients of the AI SDK know its UI message stream. */
export const UI_MESSAGE_STREAM = { "x-vercel-ai-ui-message-stream": "v1" };

const KEEP_ALIVE_MS = 15_000;
const CHECK_MS = 15_000;
const HIGH_WATER_BYTES = 256 * 1_024;
const OPENING = new TextEncoder().encode(": open\n\n");

/** Replies in progress, so that a shutdown can end them (an open stream keeps Next alive). */
const openReplies = serviceState("open-replies", () => new EventEmitter<{ close: []; check: [] }>().setMaxListeners(0));

/** Checks the readers of all streams at once, so that their lookups go together. Runs while there are streams. */
const checksOf = serviceState("stream-checks", () => ({ timer: undefined as NodeJS.Timeout | undefined }));

const admissions = serviceState("stream-admissions", () => new WeakMap<AbortSignal, () => Promise<boolean>>());

/**
 * Makes a stream opened with `signal` check every 15 s, and whenever `checkReaders` is called, whether its caller may
 * still read it; if not (a key was revoked, a person signed out), the stream is aborted.
 */
export function admitWhile(services: Services, signal: AbortSignal, isAdmitted: () => Promise<boolean>): void {
  admissions(services).set(signal, isAdmitted);
}

/** The text of one event in the `text/event-stream` format. */
export function encodeEvent({ id, event, data }: ServerSentEvent): string {
  const text = typeof data === "string" ? data : JSON.stringify(data);
  const head = `${id === undefined ? "" : `id: ${id}\n`}${event === undefined ? "" : `event: ${event}\n`}`;
  return `${head}data: ${text.replaceAll("\n", "\ndata: ")}\n\n`;
}

interface EventStreamOptions {
  /** Aborts when the client has disconnected. */
  readonly signal: AbortSignal;
  readonly headers?: Record<string, string>;
  /** Called once if the client disconnected first; not when the source ended or the server closed the stream. */
  readonly onDisconnect?: () => void;
  /** Sent last if the server shuts down before the source has ended. */
  readonly farewell?: ServerSentEvent;
}

/**
 * Sends a comment at once, because a server sends a reply's headers with its first bytes, and a stream may be silent for
 * long; then batches of events as they arrive, and a comment after every 15 s of silence. `source` gets a signal that
 * aborts when the client disconnects or the server shuts down; it should then end. A source that throws breaks the
 * connection, so that a client reconnects instead of mistaking the end for the end of the run.
 */
export function eventStreamResponse(
  services: Services,
  source: (signal: AbortSignal) => AsyncIterable<readonly ServerSentEvent[]>,
  options: EventStreamOptions,
): Response {
  const replies = openReplies(services);
  const stop = new AbortController();
  const encoder = new TextEncoder();
  let timer: NodeJS.Timeout | undefined;
  let ended = false;
  const end = () => {
    ended = true;
    clearInterval(timer);
    replies.off("close", closeFromServer).off("check", check);
    endChecks(services);
    options.signal.removeEventListener("abort", disconnect);
    stop.abort();
    // A source whose last batch nobody came back for would otherwise go on listening, and collecting.
    void iterator.return?.().catch(() => undefined);
  };
  const disconnect = () => {
    if (ended) return;
    end();
    options.onDisconnect?.();
  };
  let closeFromServer: () => void = end;
  let check = async (): Promise<void> => undefined;
  const iterator = source(stop.signal)[Symbol.asyncIterator]();
  const body = new ReadableStream<Uint8Array>(
    {
      start(controller) {
        controller.enqueue(OPENING);
        closeFromServer = () => {
          if (ended) return;
          end();
          const { farewell } = options;
          if (farewell) controller.enqueue(encoder.encode(encodeEvent(farewell)));
          controller.close();
        };
        options.signal.addEventListener("abort", disconnect);
        const isAdmitted = admissions(services).get(options.signal) ?? (async () => true);
        check = async () => {
          if ((await isAdmitted()) || ended) return;
          disconnect();
          controller.error(new Error("The caller may no longer read this stream."));
        };
        replies.on("close", closeFromServer).on("check", check);
        beginChecks(services);
        timer = setInterval(() => controller.enqueue(encoder.encode(": keep-alive\n\n")), KEEP_ALIVE_MS);
        timer.unref();
        if (options.signal.aborted) disconnect();
      },
      async pull(controller) {
        const next = await iterator.next().catch((error: unknown) => {
          end();
          throw error;
        });
        if (ended) return;
        if (next.done) {
          end();
          return controller.close();
        }
        controller.enqueue(encoder.encode(next.value.map(encodeEvent).join("")));
      },
      cancel: disconnect,
    },
    { highWaterMark: HIGH_WATER_BYTES, size: (chunk) => chunk?.byteLength ?? 0 },
  );
  return new Response(body, { headers: { ...EVENT_STREAM_HEADERS, ...options.headers } });
}

/** `body`, an event stream made elsewhere, with a comment in front, so that the reply's headers are sent at once. */
export function openAtOnce(body: ReadableStream<Uint8Array>): ReadableStream<Uint8Array> {
  return body.pipeThrough(new TransformStream({ start: (controller) => controller.enqueue(OPENING) }));
}

/** Without `connection`: a server that is told to keep one no longer closes it for a client that asks for that. */
const EVENT_STREAM_HEADERS = {
  "content-type": "text/event-stream; charset=utf-8",
  "cache-control": "no-cache, no-transform",
  "x-accel-buffering": "no",
};

function beginChecks(services: Services): void {
  checksOf(services).timer ??= withoutRequest(() => setInterval(() => checkReaders(services), CHECK_MS).unref());
}

function endChecks(services: Services): void {
  if (openReplies(services).listenerCount("check") > 0) return;
  const checks = checksOf(services);
  clearInterval(checks.timer);
  checks.timer = undefined;
}

/** Calls `close` once when the server shuts down, for a reply that is waiting. Call the result to stop. */
export function whenServerCloses(services: Services, close: () => void): () => void {
  openReplies(services).once("close", close);
  return () => void openReplies(services).off("close", close);
}

/**
 * Ends every open stream and every waiting reply of this process; clients reconnect to another process or after the
 * restart. Returns how many there were.
 */
export function closeEventStreams(services: Services): number {
  const open = countOpenReplies(services);
  openReplies(services).emit("close");
  return open;
}

/** How many streams and waiting replies of this process are open. */
export function countOpenReplies(services: Services): number {
  return openReplies(services).listenerCount("close");
}

/** Immediately ends those open streams of this process whose caller may no longer read them. */
export function checkReaders(services: Services): void {
  openReplies(services).emit("check");
}

/** The resume cursor as the client sent it: `?after=` takes precedence over `Last-Event-ID`; null is the start. */
export function sentCursor(request: Request): string | null {
  return new URL(request.url).searchParams.get("after") ?? request.headers.get("last-event-id");
}

/** The same for a stream with numeric ids; 0 is the start. */
export function readCursor(request: Request): number {
  const cursor = Number(sentCursor(request) ?? "0");
  return Number.isSafeInteger(cursor) && cursor > 0 ? cursor : 0;
}

import { createParser, type EventSourceMessage } from "eventsource-parser";

const FIRST_WAIT_MS = 300;
const LONGEST_WAIT_MS = 8000;
/** Timeout for the first response of a new connection. */
const OPEN_MS = 10_000;
/** The server sends at least a comment every 15 s; a connection that is silent for this long is dead. */
const SILENCE_MS = 40_000;

export interface FollowOptions {
  readonly signal: AbortSignal;
  /** The last event known; the stream resumes after it. */
  readonly cursor?: string | null;
  /** The pause between two attempts; replaced in tests. */
  readonly wait?: (delayMs: number, signal: AbortSignal) => Promise<void>;
}

/** `lost` counts consecutive failed attempts. An event that was cut off is sent again by the next connection. */
export type StreamUpdate =
  | { readonly kind: "connected" }
  | { readonly kind: "event"; readonly event: EventSourceMessage }
  | { readonly kind: "lost"; readonly attempts: number };

/** How a connection is opened, and which of its errors another attempt would not hit again. */
export interface StreamSource {
  readonly open: (init: {
    readonly headers: Record<string, string>;
    readonly signal: AbortSignal;
  }) => Promise<Response>;
  readonly isPassing: (error: unknown) => boolean;
}

/**
 * The events of a `text/event-stream` until `signal` aborts, over as many connections as it takes: one that breaks,
 * stops sending or is closed is reopened after the last event that had an id. Throws what is not passing.
 */
export async function* followEvents(source: StreamSource, options: FollowOptions): AsyncGenerator<StreamUpdate> {
  const { signal, wait = waitFor } = options;
  let cursor = options.cursor ?? null;
  let attempts = 0;
  while (!signal.aborted) {
    for await (const update of readUntilBreak(source, cursor, signal)) {
      // Set before the event is passed on: the consumer may stop after it.
      if (update.kind === "event") cursor = update.event.id ?? cursor;
      else attempts = 0;
      yield update;
      // More may already have arrived.
      if (signal.aborted) return;
    }
    if (signal.aborted) return;
    attempts += 1;
    yield { kind: "lost", attempts };
    await wait(Math.min(FIRST_WAIT_MS * 2 ** (attempts - 1), LONGEST_WAIT_MS), signal);
  }
}

/** Broken connections (0), restarts, overload and server faults are transient; a refusal is not. */
export function isPassingStatus(status: number): boolean {
  return status === 0 || status === 429 || status >= 500;
}

/** One connection. Throws only errors that another connection would hit again. */
async function* readUntilBreak(
  source: StreamSource,
  cursor: string | null,
  signal: AbortSignal,
): AsyncGenerator<StreamUpdate> {
  try {
    const reply = await openEventStream(source, cursor, signal);
    yield { kind: "connected" };
    if (reply.body === null) return;
    for await (const event of readEventStream(reply.body)) yield { kind: "event", event };
  } catch (error) {
    if (!signal.aborted && !source.isPassing(error)) throw error;
  }
}

/** Gives up on a connection that does not respond: a browser may reuse a dead one for a new request. */
async function openEventStream(source: StreamSource, cursor: string | null, signal: AbortSignal): Promise<Response> {
  const unanswered = new AbortController();
  const timer = setTimeout(() => unanswered.abort(), OPEN_MS);
  const opened = source.open({
    signal: AbortSignal.any([signal, unanswered.signal]),
    headers: { accept: "text/event-stream", ...(cursor === null ? {} : { "last-event-id": cursor }) },
  });
  return opened.finally(() => clearTimeout(timer));
}

/** Comments are skipped, an event cut off by the end is dropped. A connection may be dead without being closed. */
async function* readEventStream(body: ReadableStream<Uint8Array>): AsyncGenerator<EventSourceMessage> {
  const reader = body.pipeThrough(new TextDecoderStream() as ReadableWritablePair<string, Uint8Array>).getReader();
  const events: EventSourceMessage[] = [];
  const parser = createParser({ onEvent: (event) => events.push(event) });
  try {
    while (true) {
      const { done, value } = await beforeSilence(reader.read());
      if (done) return;
      parser.feed(value);
      yield* events.splice(0);
    }
  } finally {
    // Not awaited: if the connection hangs, this may hang too.
    void reader.cancel().catch(() => undefined);
  }
}

async function beforeSilence<Result>(read: Promise<Result>): Promise<Result> {
  const silence = Promise.withResolvers<never>();
  const timer = setTimeout(() => silence.reject(new Error("The stream stopped sending.")), SILENCE_MS);
  return Promise.race([read, silence.promise]).finally(() => clearTimeout(timer));
}

function waitFor(delayMs: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      signal.removeEventListener("abort", done);
      resolve();
    };
    const timer = setTimeout(done, delayMs);
    signal.addEventListener("abort", done);
  });
}

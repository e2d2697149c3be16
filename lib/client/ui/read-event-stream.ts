import { createParser, type EventSourceMessage } from "eventsource-parser";

/** The server says something every 15 s; after this long without a byte nobody is there any more. */
const SILENCE_MS = 40_000;

/**
 * The events of an SSE reply; comments are skipped, an event cut off by the end is dropped. Throws when not even a
 * comment comes for 40 s: a connection may be dead without being closed.
 */
export async function* readEventStream(body: ReadableStream<Uint8Array>): AsyncGenerator<EventSourceMessage> {
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
    // Not awaited: what hangs may hang here too.
    void reader.cancel().catch(() => undefined);
  }
}

async function beforeSilence<Result>(read: Promise<Result>): Promise<Result> {
  const silence = Promise.withResolvers<never>();
  const timer = setTimeout(() => silence.reject(new Error("The stream stopped responding.")), SILENCE_MS);
  return Promise.race([read, silence.promise]).finally(() => clearTimeout(timer));
}

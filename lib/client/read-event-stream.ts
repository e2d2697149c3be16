/** One event of a `text/event-stream`; `id` is null when the event carried none. */
export interface StreamEvent {
  readonly id: string | null;
  readonly event: string;
  readonly data: string;
}

/** The server says something every 15 s; after this long without a byte nobody is there any more. */
const SILENCE_MS = 40_000;

/**
 * Parses the body of an SSE reply; comments are skipped, an event cut off by the end is dropped. Throws when not even a
 * comment comes for 40 s: a connection may be dead without being closed.
 */
export async function* readEventStream(body: ReadableStream<Uint8Array>): AsyncGenerator<StreamEvent> {
  const reader = body.pipeThrough(new TextDecoderStream() as ReadableWritablePair<string, Uint8Array>).getReader();
  let rest = "";
  try {
    while (true) {
      const { done, value } = await beforeSilence(reader.read());
      if (done) return;
      rest = (rest + value).replaceAll("\r\n", "\n");
      const blocks = rest.split("\n\n");
      rest = blocks.pop() ?? "";
      for (const block of blocks) {
        const event = parseBlock(block);
        if (event) yield event;
      }
    }
  } finally {
    // Not awaited: what hangs may hang here too.
    void reader.cancel().catch(() => undefined);
  }
}

async function beforeSilence<Result>(read: Promise<Result>): Promise<Result> {
  const silence = Promise.withResolvers<never>();
  const timer = setTimeout(() => silence.reject(new Error("The stream fell silent.")), SILENCE_MS);
  return Promise.race([read, silence.promise]).finally(() => clearTimeout(timer));
}

function parseBlock(block: string): StreamEvent | null {
  const fields = block
    .split("\n")
    .map(parseField)
    .filter(([name]) => name !== "");
  const lastValue = (wanted: string) => fields.findLast(([name]) => name === wanted)?.[1];
  const data = fields.filter(([name]) => name === "data").map(([, value]) => value);
  if (data.length === 0) return null;
  return { id: lastValue("id") ?? null, event: lastValue("event") ?? "message", data: data.join("\n") };
}

/** A line that starts with a colon is a comment and has no name. */
function parseField(line: string): readonly [name: string, value: string] {
  const colon = line.indexOf(":");
  return colon < 0 ? [line, ""] : [line.slice(0, colon), line.slice(colon + 1).replace(/^ /u, "")];
}

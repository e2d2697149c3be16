/**
 * Chat completion servers send one event per token, and the AI SDK spends ten times as much on an event as on its
 * text. Events that arrive together and only add to the same text, reasoning or arguments become one event here.
 * What arrives alone passes through untouched, so nothing waits.
 */
export function withMergedDeltas(fetchOnce: typeof fetch): typeof fetch {
  return async (input, init) => {
    const response = await fetchOnce(input, init);
    const isStream = response.headers.get("content-type")?.includes("event-stream") === true;
    if (!response.body || !isStream) return response;
    const { status, statusText, headers } = response;
    return new Response(mergeStream(response.body), { status, statusText, headers });
  };
}

const END = "\n\n";

function mergeStream(body: ReadableStream<Uint8Array>): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  const merger = new ChunkMerger();
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { done, bytes } = await readWholeEvents(reader, merger);
      if (bytes) controller.enqueue(bytes);
      if (done) controller.close();
    },
    cancel: (reason) => reader.cancel(reason),
  });
}

/** Reads until there is something to pass on: a pull that enqueues nothing would not be repeated. */
async function readWholeEvents(
  reader: ReadableStreamDefaultReader<Uint8Array>,
  merger: ChunkMerger,
): Promise<{ done: boolean; bytes: Uint8Array | undefined }> {
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return { done, bytes: merger.end() };
    const bytes = merger.add(value);
    if (bytes) return { done, bytes };
  }
}

/** Keeps what is not yet a whole event for the next chunk. */
class ChunkMerger {
  readonly #decoder = new TextDecoder();
  readonly #encoder = new TextEncoder();
  #rest = "";

  add(bytes: Uint8Array): Uint8Array | undefined {
    const text = this.#rest + this.#decoder.decode(bytes, { stream: true });
    const last = text.lastIndexOf(END);
    const isOneEvent = this.#rest === "" && last === text.length - END.length && text.indexOf(END) === last;
    if (isOneEvent) return bytes;
    const end = last < 0 ? 0 : last + END.length;
    this.#rest = text.slice(end);
    return end === 0 ? undefined : this.#encoder.encode(mergeEvents(text.slice(0, end)));
  }

  end(): Uint8Array | undefined {
    const text = this.#rest + this.#decoder.decode();
    return text === "" ? undefined : this.#encoder.encode(text);
  }
}

/** Whole server-sent events, each with its blank line. */
export function mergeEvents(text: string): string {
  let merged = "";
  let open: OpenEvent | undefined;
  for (const raw of text.split(END)) {
    if (raw === "") continue;
    const event = readDelta(raw);
    if (open && event && event.key === open.key) {
      open.text += event.text;
      open.count++;
      continue;
    }
    if (open) merged += write(open) + END;
    open = event;
    if (!event) merged += raw + END;
  }
  return open ? merged + write(open) + END : merged;
}

interface OpenEvent {
  /** What it adds to; events with the same key can be joined. */
  readonly key: string;
  readonly raw: string;
  readonly chunk: Chunk;
  text: string;
  count: number;
}

interface Chunk {
  readonly choices?: readonly { readonly delta?: Delta | null; readonly finish_reason?: unknown }[];
  readonly usage?: unknown;
}

interface Delta {
  content?: unknown;
  reasoning_content?: unknown;
  reasoning?: unknown;
  tool_calls?: readonly ToolCallDelta[] | null;
  readonly refusal?: unknown;
}

interface ToolCallDelta {
  readonly index?: number;
  readonly id?: string | null;
  readonly function?: { readonly name?: string | null; arguments?: unknown } | null;
}

const TEXT_FIELDS = ["content", "reasoning_content", "reasoning"] as const;

function readDelta(raw: string): OpenEvent | undefined {
  if (!raw.startsWith("data: {") || raw.includes("\n") || raw.includes("\r")) return undefined;
  const chunk = parse(raw.slice("data: ".length));
  const choice = chunk?.choices?.length === 1 ? chunk.choices[0] : undefined;
  if (!chunk || !choice?.delta || chunk.usage || choice.finish_reason || choice.delta.refusal) return undefined;
  const piece = readPiece(choice.delta);
  return piece && { ...piece, raw, chunk, count: 1 };
}

function readPiece(delta: Delta): { key: string; text: string } | undefined {
  const filled = TEXT_FIELDS.filter(
    (field) => delta[field] !== undefined && delta[field] !== null && delta[field] !== "",
  );
  const [field] = filled;
  if (delta.tool_calls?.length) return filled.length === 0 ? readArguments(delta.tool_calls) : undefined;
  if (field === undefined || filled.length > 1) return undefined;
  const text = delta[field];
  return typeof text === "string" ? { key: field, text } : undefined;
}

/** A piece of arguments of a call that was begun before. */
function readArguments([call, ...others]: readonly ToolCallDelta[]): { key: string; text: string } | undefined {
  if (others.length > 0 || call?.index === undefined || call.id || call.function?.name) return undefined;
  const text = call.function?.arguments;
  return typeof text === "string" ? { key: `call ${call.index}`, text } : undefined;
}

function write({ key, raw, chunk, text, count }: OpenEvent): string {
  if (count === 1) return raw;
  const delta = chunk.choices?.[0]?.delta;
  const call = delta?.tool_calls?.[0]?.function;
  if (call) call.arguments = text;
  else if (delta) delta[key as (typeof TEXT_FIELDS)[number]] = text;
  return `data: ${JSON.stringify(chunk)}`;
}

/** Text that is not JSON passes through, for the AI SDK to report. */
function parse(text: string): Chunk | undefined {
  try {
    return JSON.parse(text) as Chunk;
  } catch {
    return undefined;
  }
}

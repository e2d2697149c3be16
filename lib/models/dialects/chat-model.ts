import {
  APICallError,
  type LanguageModelV4,
  type LanguageModelV4CallOptions,
  type LanguageModelV4FunctionTool,
  type LanguageModelV4StreamPart,
} from "@ai-sdk/provider";
import { ReplyCut, UnreadableReply } from "@/lib/models/failures/unreadable-reply";
import type { Traits } from "@/lib/schema/dialect";
import { trimEndOf } from "@/lib/schema/trim-characters";
import type { ResolvedDialect } from "./dialect-presets";
import { EventReader, type WireEvent } from "./event-reader";
import { ReplyReader } from "./reply-reader";
import { asRequestBody } from "./rewriting";
import { writeMessages } from "./write-messages";

export interface ChatConnection {
  readonly provider: string;
  readonly model: string;
  readonly baseUrl: string;
  readonly apiKey: string | null;
  readonly dialect: ResolvedDialect;
  readonly fetch: typeof fetch;
  /** False: the reply is requested in one piece. */
  readonly streaming: boolean;
}

/**
 * A chat completions server as an SDK model. Everything that arrives is read once and leniently: servers that call
 * themselves compatible differ in all that the SDK's own model checks, and it rejects the whole reply for one field.
 */
export function chatModel(connection: ChatConnection): LanguageModelV4 {
  const doStream: LanguageModelV4["doStream"] = async (options) => {
    const { body, rewriting } = bodyOf(connection, options);
    const response = await post(connection, body, options.abortSignal);
    if (!response.ok) throw await refusalOf(response, addressOf(connection));
    const reader = new ReplyReader({
      toolNames: new Set(functionTools(options).map(({ name }) => name)),
      writer: writerOf(connection),
      thoughtsInText: connection.dialect.traits.thoughtsInText,
      callsInText: connection.dialect.traits.callsInText,
      createId: () => `call_${crypto.randomUUID().replaceAll("-", "").slice(0, 24)}`,
    });
    return { stream: readReply(response, reader), request: { body: asRequestBody(rewriting) } };
  };
  return {
    specificationVersion: "v4",
    provider: connection.provider,
    modelId: connection.model,
    supportedUrls: {},
    doStream,
    doGenerate: () => Promise.reject(new Error("A chat completion is read as a stream, whether or not it is one.")),
  };
}

/** Who wrote a message: only they get back what they wrote for themselves. */
function writerOf({ provider, model, baseUrl }: ChatConnection): string {
  return `${provider} ${URL.parse(baseUrl)?.origin ?? baseUrl} ${model}`;
}

function post(connection: ChatConnection, body: object, signal: AbortSignal | undefined): Promise<Response> {
  const { apiKey } = connection;
  return connection.fetch(addressOf(connection), {
    method: "POST",
    headers: {
      "content-type": "application/json",
      ...(apiKey === null ? {} : { authorization: `Bearer ${apiKey}` }),
    },
    body: JSON.stringify(body),
    ...(signal ? { signal } : {}),
  });
}

/** A query, such as Azure's `api-version`, stays at the end. */
function addressOf({ baseUrl }: ChatConnection): string {
  const [path = "", query] = baseUrl.split("?", 2);
  return `${trimEndOf(path, /\//)}/chat/completions${query === undefined ? "" : `?${query}`}`;
}

/**
 * The messages come last, because V8 restarts serialisation in a slower mode at the first value nested deeper than ten
 * levels, as tool schemas are.
 */
function bodyOf({ model, dialect, streaming, ...connection }: ChatConnection, options: LanguageModelV4CallOptions) {
  const { traits } = dialect;
  const tools = functionTools(options).map(({ name, description, inputSchema }) => ({
    type: "function",
    function: { name, description, ...(isWithoutArguments(inputSchema, traits) ? {} : { parameters: inputSchema }) },
  }));
  const writer = writerOf({ model, dialect, streaming, ...connection });
  const { messages, rewriting } = writeMessages(options.prompt, { traits, needs: dialect, writer });
  const body = {
    model,
    [traits.maxTokensField]: options.maxOutputTokens,
    temperature: options.temperature,
    reasoning_effort: options.reasoning === "provider-default" ? undefined : options.reasoning,
    ...(streaming ? { stream: true, stream_options: { include_usage: true } } : {}),
    ...(tools.length === 0 ? {} : { tools }),
    messages,
  };
  return { body, rewriting };
}

/** Google refuses an object without properties; without `parameters` a tool takes no arguments. */
function isWithoutArguments({ properties }: LanguageModelV4FunctionTool["inputSchema"], { schemas }: Traits): boolean {
  return schemas === "google" && Object.keys(properties ?? {}).length === 0;
}

function functionTools({ tools = [] }: LanguageModelV4CallOptions): LanguageModelV4FunctionTool[] {
  return tools.filter((tool) => tool.type === "function");
}

const MAX_REFUSAL_CHARS = 100_000;
const LONGEST_BEGINNING = 2_000;
/** How long a server may take for the usage and the end after a finish reason, or to close after `[DONE]`. */
const AFTER_END_MS = 5_000;

async function refusalOf(response: Response, url: string): Promise<APICallError> {
  const text = await response.text().catch(() => "");
  return new APICallError({
    message: response.statusText,
    url,
    requestBodyValues: undefined,
    statusCode: response.status,
    responseHeaders: Object.fromEntries(response.headers),
    responseBody: text.slice(0, MAX_REFUSAL_CHARS),
  });
}

/** Reads only as fast as the caller takes, one chunk of bytes at a time. */
function readReply(response: Response, reply: ReplyReader): ReadableStream<LanguageModelV4StreamPart> {
  const reading = new Reading(response, reply);
  return new ReadableStream<LanguageModelV4StreamPart>({
    async pull(controller) {
      const { parts, isEnd } = await reading.next();
      for (const part of parts) controller.enqueue(part);
      if (isEnd) controller.close();
    },
    cancel: (reason) => reading.cancel(reason),
  });
}

class Reading {
  readonly #events = new EventReader();
  readonly #decoder = new TextDecoder();
  readonly #bytes: BytesReader;
  /** The first characters of an answer that has not been understood so far. */
  #beginning = "";

  private readonly response: Response;
  private readonly reply: ReplyReader;

  constructor(response: Response, reply: ReplyReader) {
    this.response = response;
    this.reply = reply;
    this.#bytes = response.body?.getReader();
  }

  /** The next parts: at least one, or the end, because a pull that enqueues nothing is not repeated. */
  async next(): Promise<{ parts: LanguageModelV4StreamPart[]; isEnd: boolean }> {
    for (;;) {
      const value = await nextBytes(this.#bytes, this.reply);
      if (value) this.#add(this.#decoder.decode(value, { stream: true }));
      if (value === undefined || this.reply.isDone || this.reply.hasFailed) {
        if (value) void drain(this.#bytes);
        return { parts: this.#end(), isEnd: true };
      }
      const parts = this.reply.take();
      if (parts.length > 0) return { parts, isEnd: false };
    }
  }

  cancel(reason: unknown): Promise<void> | undefined {
    return this.#bytes?.cancel(reason);
  }

  #add(text: string): void {
    if (!this.#events.hasRead && this.#beginning.length < LONGEST_BEGINNING) {
      this.#beginning += text.slice(0, LONGEST_BEGINNING);
    }
    for (const event of this.#events.add(text)) this.#take(event);
  }

  /** What follows the end in the same bytes is not part of the reply. */
  #take(event: WireEvent): void {
    if (!this.reply.isDone) this.reply.add(event);
  }

  #end(): LanguageModelV4StreamPart[] {
    this.#add(this.#decoder.decode());
    for (const event of this.#events.end()) this.#take(event);
    const { reply } = this;
    if (reply.hasFailed) return reply.take();
    if (reply.isWhole) return reply.end(this.#events.unreadable);
    if (reply.hasBegun && this.#events.unreadable === 0) return reply.take();
    const beginning = reply.hasBegun ? "" : this.#beginning;
    const error = new UnreadableReply(this.response.headers.get("content-type"), beginning);
    return [...reply.take(), { type: "error", error }];
  }
}

type BytesReader = ReadableStreamDefaultReader<Uint8Array> | undefined;

/** Undefined at the end. A connection that breaks after the reply was whole has only ended. */
async function nextBytes(bytes: BytesReader, reply: ReplyReader): Promise<Uint8Array | undefined> {
  const wait = reply.isWhole ? setTimeout(() => void bytes?.cancel().catch(() => undefined), AFTER_END_MS) : undefined;
  try {
    return (await bytes?.read())?.value;
  } catch (error) {
    if (reply.isWhole) return undefined;
    throw new ReplyCut(error);
  } finally {
    clearTimeout(wait);
  }
}

/** Reads the rest, so that the connection can be used again; a server that keeps it open is left. */
async function drain(bytes: BytesReader): Promise<void> {
  const timer = setTimeout(() => void bytes?.cancel().catch(() => undefined), AFTER_END_MS);
  try {
    while (!((await bytes?.read())?.done ?? true));
  } catch {
    // The reply is whole; how its connection ends is of no interest.
  } finally {
    clearTimeout(timer);
  }
}

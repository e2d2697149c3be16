import {
  APICallError,
  type LanguageModelV4,
  type LanguageModelV4CallOptions,
  type LanguageModelV4FunctionTool,
  type LanguageModelV4StreamPart,
} from "@ai-sdk/provider";
import { ReplyCut, UnreadableReply } from "@/lib/models/failures/unreadable-reply";
import type { ResolvedDialect } from "./dialect-presets";
import { EventReader } from "./event-reader";
import { ReplyReader } from "./reply-reader";
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
    const response = await post(connection, options);
    if (!response.ok) throw await refusalOf(response, addressOf(connection));
    const reader = new ReplyReader({
      toolNames: new Set(functionTools(options).map(({ name }) => name)),
      writer: writerOf(connection),
      createId: () => `call_${crypto.randomUUID().replaceAll("-", "").slice(0, 24)}`,
    });
    return { stream: readReply(response, reader) };
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

function post(connection: ChatConnection, options: LanguageModelV4CallOptions): Promise<Response> {
  const { apiKey } = connection;
  return connection.fetch(addressOf(connection), {
    method: "POST",
    headers: {
      "content-type": "application/json",
      ...(apiKey === null ? {} : { authorization: `Bearer ${apiKey}` }),
    },
    body: JSON.stringify(bodyOf(connection, options)),
    ...(options.abortSignal ? { signal: options.abortSignal } : {}),
  });
}

/** A query, such as Azure's `api-version`, stays at the end. */
function addressOf({ baseUrl }: ChatConnection): string {
  const [path = "", query] = baseUrl.split("?", 2);
  return `${path.replace(/\/+$/, "")}/chat/completions${query === undefined ? "" : `?${query}`}`;
}

/**
 * The messages come last, because V8 restarts serialisation in a slower mode at the first value nested deeper than ten
 * levels, as tool schemas are.
 */
function bodyOf({ model, dialect, streaming, ...connection }: ChatConnection, options: LanguageModelV4CallOptions) {
  const { traits } = dialect;
  const tools = functionTools(options).map(({ name, description, inputSchema }) => ({
    type: "function",
    function: { name, description, parameters: inputSchema },
  }));
  const writer = writerOf({ model, dialect, streaming, ...connection });
  return {
    model,
    [traits.maxTokensField]: options.maxOutputTokens,
    temperature: options.temperature,
    reasoning_effort: options.reasoning === "provider-default" ? undefined : options.reasoning,
    ...(streaming ? { stream: true, stream_options: { include_usage: true } } : {}),
    ...(tools.length === 0 ? {} : { tools }),
    messages: writeMessages(options.prompt, { traits, needs: dialect, writer }),
  };
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
function readReply({ body, headers }: Response, reply: ReplyReader): ReadableStream<LanguageModelV4StreamPart> {
  const events = new EventReader();
  const decoder = new TextDecoder();
  const bytes = body?.getReader();
  let beginning = "";

  function addText(text: string): void {
    if (!events.hasRead && beginning.length < LONGEST_BEGINNING) beginning += text.slice(0, LONGEST_BEGINNING);
    for (const event of events.add(text)) reply.add(event);
  }
  function endParts(): LanguageModelV4StreamPart[] {
    addText(decoder.decode());
    for (const event of events.end()) reply.add(event);
    if (reply.hasFailed) return reply.take();
    if (reply.isWhole) return reply.end(events.unreadable);
    if (reply.hasBegun && events.unreadable === 0) return reply.take();
    const error = new UnreadableReply(headers.get("content-type"), reply.hasBegun ? "" : beginning);
    return [...reply.take(), { type: "error", error }];
  }
  return new ReadableStream<LanguageModelV4StreamPart>({
    async pull(controller) {
      for (;;) {
        const value = await nextBytes(bytes, reply);
        if (value) addText(decoder.decode(value, { stream: true }));
        const isEnd = value === undefined || reply.isDone || reply.hasFailed;
        const parts = isEnd ? endParts() : reply.take();
        for (const part of parts) controller.enqueue(part);
        if (isEnd) {
          controller.close();
          if (value) void drain(bytes);
        }
        if (isEnd || parts.length > 0) return;
      }
    },
    cancel: (reason) => bytes?.cancel(reason),
  });
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

import { ErrorCode } from "@modelcontextprotocol/sdk/types.js";
import { createParser, type EventSourceMessage } from "eventsource-parser";
import type { GuardedFetch } from "@/lib/server/platform/guarded-fetch";
import { isObject, isResponse, type JsonObject, type RequestId, readMessages } from "./read-message";

type Send = GuardedFetch["fetch"];

/**
 * `send`, with what the server sends read by `readMessages` before the protocol library sees it. A request whose answer
 * holds no message, or ends without one, is answered with an error: the library would wait for ever. `onBroken` is told
 * the answer (an error too) to a request whose stream broke off.
 */
export function readingFetch(send: Send, onBroken: (answer: JsonObject) => void): Send {
  /** Requests that are answered on another request's stream. */
  const elsewhere = new Set<RequestId>();
  return async (input, init) => {
    const asked = requestIdOf(init?.body);
    if (asked !== null) elsewhere.add(asked);
    const response = await send(input, init);
    const { ok, body, headers, status } = response;
    if (ok && (body === null || status === 202 || status === 204)) return response;
    if (asked !== null) elsewhere.delete(asked);
    if (!ok || body === null) return response;
    if (mediaType(headers) === "text/event-stream") {
      const events = body
        .pipeThrough(new TextDecoderStream() as ReadableWritablePair<string, Uint8Array<ArrayBuffer>>)
        .pipeThrough(messageEvents(asked, { onBroken, elsewhere }))
        .pipeThrough(new TextEncoderStream());
      return rebuilt(response, events);
    }
    return asked === null ? response : readWhole(response, asked);
  };
}

/** The id of the request that is sent; null for notifications and answers. */
function requestIdOf(body: unknown): RequestId | null {
  if (typeof body !== "string") return null;
  const message: unknown = JSON.parse(body);
  const isRequest = isObject(message) && "method" in message;
  return isRequest && (typeof message.id === "string" || typeof message.id === "number") ? message.id : null;
}

function mediaType(headers: Headers): string {
  return (headers.get("content-type") ?? "").split(";", 1)[0]?.trim().toLowerCase() ?? "";
}

function rebuilt(response: Response, body: BodyInit, type?: string): Response {
  const headers = new Headers([...response.headers].filter(([name]) => !/^content-(?:length|encoding)$/.test(name)));
  if (type !== undefined) headers.set("content-type", type);
  return new Response(body, { status: response.status, headers });
}

/** An answer in one piece; JSON counts whatever the server calls it. */
async function readWhole(response: Response, asked: RequestId): Promise<Response> {
  const text = await response.text();
  const parsed = parseOr(text, undefined) ?? eventsIn(text);
  if (parsed === undefined) return rebuilt(response, text);
  const messages = readMessages(parsed);
  const answers = messages.filter(isResponse);
  const own = answers.length === 1 ? answers : answers.filter(({ id }) => id === undefined);
  const answered = messages.map((message) => (own.includes(message) ? { ...message, id: asked } : message));
  const isAnswered = answered.some((message) => isResponse(message) && isFor(message, asked));
  if (!isAnswered) answered.push(failure(asked, "The server answered with something that is not an MCP message."));
  return rebuilt(response, JSON.stringify(answered), "application/json");
}

/** The messages of events that the server does not call a stream; undefined if there are none. */
function eventsIn(text: string): readonly unknown[] | undefined {
  if (!/^\s{0,9}(?:data|event|id|:)/.test(text)) return undefined;
  const found: unknown[] = [];
  const parser = createParser({ onEvent: ({ data }) => found.push(parseOr(data, undefined)) });
  parser.feed(`${text}\n\n`);
  const messages = found.filter((message) => message !== undefined);
  return messages.length === 0 ? undefined : messages;
}

function parseOr(text: string, other: unknown): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return other;
  }
}

function isFor({ id }: JsonObject, asked: RequestId): boolean {
  return String(id) === String(asked);
}

function failure(id: RequestId, message: string): JsonObject {
  return { jsonrpc: "2.0", id, error: { code: ErrorCode.InternalError, message } };
}

interface Asking {
  readonly onBroken: (answer: JsonObject) => void;
  readonly elsewhere: Set<RequestId>;
}

/** An answer that names no request is that of the only one that waits. */
function nameElsewhere(message: JsonObject, elsewhere: Set<RequestId>): JsonObject {
  const [only] = elsewhere;
  const named = message.id === undefined && elsewhere.size === 1 ? { ...message, id: only } : message;
  for (const id of elsewhere) if (isFor(named, id)) elsewhere.delete(id);
  return named;
}

/** The events of a stream, with the messages read. */
function messageEvents(asked: RequestId | null, { onBroken, elsewhere }: Asking): TransformStream<string, string> {
  let isAnswered = asked === null;
  let canResume = false;
  let hasBegun = false;
  let document: string[] | null = null;
  let parser: ReturnType<typeof createParser> | null = null;
  const name = (message: JsonObject): JsonObject => {
    if (!isResponse(message)) return message;
    if (asked === null) return nameElsewhere(message, elsewhere);
    const named = message.id === undefined ? { ...message, id: asked } : message;
    isAnswered ||= isFor(named, asked);
    return named;
  };
  const read = ({ event, data }: EventSourceMessage): string => {
    const parsed = (event === undefined || event === "message") && data !== "" ? parseOr(data, undefined) : undefined;
    if (parsed === undefined) return dataLines(data);
    return readMessages(parsed)
      .map((message) => dataLines(JSON.stringify(name(message))))
      .join("");
  };
  const isOpen = () => !isAnswered && !canResume;
  // The types of TypeScript do not have `cancel` yet: the stream before this one has failed.
  const transformer: Transformer<string, string> & { cancel(): void } = {
    start(controller) {
      parser = createParser({
        onEvent(message) {
          canResume ||= message.id !== undefined;
          controller.enqueue(fieldLines(message) + (read(message) || dataLines("")));
        },
        onRetry: (milliseconds) => controller.enqueue(`retry: ${milliseconds}\n\n`),
      });
    },
    transform(text) {
      if (document !== null) document.push(text);
      else if (!hasBegun && /^\s{0,9}[[{]/.test(text)) document = [text];
      else parser?.feed(text);
      hasBegun = true;
    },
    flush(controller) {
      // Some servers send one document and call it a stream, or end their only event without an empty line.
      if (document !== null) controller.enqueue(read({ id: undefined, event: undefined, data: document.join("") }));
      parser?.feed("\n\n");
      if (asked !== null && isOpen()) controller.enqueue(dataLines(JSON.stringify(failure(asked, CUT_OFF))));
    },
    cancel() {
      if (asked !== null && isOpen()) onBroken(failure(asked, BROKEN_OFF));
    },
  };
  return new TransformStream(transformer);
}

const BROKEN_OFF = "The connection broke off before the result, so what was asked may have been done.";
const CUT_OFF = "The server ended its answer before the result, so what was asked may have been done.";

function fieldLines({ id, event }: EventSourceMessage): string {
  return `${id === undefined ? "" : `id: ${id}\n`}${event === undefined ? "" : `event: ${event}\n`}`;
}

function dataLines(data: string): string {
  return `data: ${data.replaceAll("\n", "\ndata: ")}\n\n`;
}

import { ErrorCode } from "@modelcontextprotocol/sdk/types.js";
import { createParser, type EventSourceMessage } from "eventsource-parser";
import type { GuardedFetch } from "@/lib/server/platform/guarded-fetch";
import { type AwaitedElsewhere, awaitElsewhere } from "./awaited-elsewhere";
import { isObject, isResponse, type JsonObject, type RequestId, readMessages } from "./read-message";

type Send = GuardedFetch["fetch"];

/** What is told answers (errors too) that no response carries. */
export interface AnswerListener {
  /** The stream of the request broke off. */
  readonly onBroken: (answer: JsonObject) => void;
  /** The server took the request, and has no stream left for its answer. */
  readonly onUnanswerable: (answer: JsonObject) => void;
  /** A stream that broke off may be continued in another one. */
  readonly isResumable: boolean;
}

/**
 * `send`, with what the server sends read by `readMessages` before the protocol library sees it. A request whose answer
 * holds no message, or ends without one, is answered with an error: the library would wait for ever.
 */
export function readingFetch(send: Send, { onBroken, onUnanswerable, isResumable }: AnswerListener): Send {
  const elsewhere = awaitElsewhere((id) => onUnanswerable(failure(id, ACCEPTED_ONLY)));
  const listen: Send = async (input, init) => {
    const stream = elsewhere.openStream();
    try {
      const response = await send(input, init);
      if (!response.ok || isOnlyAccepted(response) || !isEventStream(response)) {
        stream.ended();
        return response;
      }
      stream.opened();
      return withEvents(response, { asked: null, isResumable, onBroken, elsewhere, onEnd: stream.ended });
    } catch (error) {
      stream.ended();
      throw error;
    }
  };
  const ask = async (asked: RequestId, ...request: Parameters<Send>) => {
    elsewhere.add(asked);
    const response = await send(...request);
    if (isOnlyAccepted(response)) elsewhere.accept(asked);
    else elsewhere.answered(asked);
    return response;
  };
  return async (input, init) => {
    if (isListening(init)) return listen(input, init);
    const asked = requestIdOf(init?.body);
    const response = await (asked === null ? send(input, init) : ask(asked, input, init));
    if (!response.ok || isOnlyAccepted(response)) return response;
    if (isEventStream(response)) return withEvents(response, { asked, isResumable, onBroken, elsewhere });
    return asked === null ? response : readWhole(response, asked);
  };
}

/** Nothing was, or will be, answered here. */
function isOnlyAccepted({ ok, body, status }: Response): boolean {
  return ok && (body === null || status === 202 || status === 204);
}

const ACCEPTED_ONLY =
  "The server took the call without answering it, and no stream is open on which it could, so what was asked may have been done.";

const isEventStream = ({ headers }: Response) => mediaType(headers) === "text/event-stream";

/** Opens the stream on which a server speaks by itself. */
function isListening(init: Parameters<Send>[1]): boolean {
  return (init?.method ?? "GET") === "GET";
}

function withEvents(response: Response, asking: Asking): Response {
  const events = response.body
    ?.pipeThrough(new TextDecoderStream() as ReadableWritablePair<string, Uint8Array<ArrayBuffer>>)
    .pipeThrough(messageEvents(asking))
    .pipeThrough(new TextEncoderStream());
  return rebuilt(response, events ?? null);
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

function rebuilt(response: Response, body: BodyInit | null, type?: string): Response {
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
  if (!isAnswered) answered.push(failure(asked, NO_MESSAGE));
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
  /** Null for the stream on which a server speaks by itself. */
  readonly asked: RequestId | null;
  readonly isResumable: boolean;
  readonly onBroken: (answer: JsonObject) => void;
  readonly elsewhere: AwaitedElsewhere;
  readonly onEnd?: () => void;
}

/** An answer that names no request is that of the only one that waits. */
function nameElsewhere(message: JsonObject, elsewhere: AwaitedElsewhere): JsonObject {
  const only = elsewhere.only();
  return message.id === undefined && only !== undefined ? { ...message, id: only } : message;
}

/** The events of a stream, with the messages read. */
function messageEvents({ asked, isResumable, onBroken, elsewhere, onEnd }: Asking): TransformStream<string, string> {
  let isAnswered = asked === null;
  let canResume = false;
  let hasBegun = false;
  let document: string[] | null = null;
  let parser: ReturnType<typeof createParser> | null = null;
  const name = (message: JsonObject): JsonObject => {
    if (!isResponse(message)) return message;
    const own = asked !== null && message.id === undefined ? { ...message, id: asked } : message;
    const named = asked === null ? nameElsewhere(message, elsewhere) : own;
    isAnswered ||= asked !== null && isFor(named, asked);
    elsewhere.answered(named.id);
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
          canResume ||= isResumable && message.id !== undefined;
          controller.enqueue((isResumable ? fieldLines(message) : "") + (read(message) || dataLines("")));
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
      onEnd?.();
    },
    cancel() {
      if (asked !== null && isOpen()) onBroken(failure(asked, BROKEN_OFF));
      onEnd?.();
    },
  };
  return new TransformStream(transformer);
}

const NO_MESSAGE = "The server answered with something that is not an MCP message.";
const BROKEN_OFF = "The connection broke off before the result, so what was asked may have been done.";
const CUT_OFF = "The server ended its answer before the result, so what was asked may have been done.";
/** The words of the errors that stand here for an answer that did not come. */
export const OWN_FAILURES: readonly string[] = [ACCEPTED_ONLY, NO_MESSAGE, CUT_OFF];

function fieldLines({ id, event }: EventSourceMessage): string {
  return `${id === undefined ? "" : `id: ${id}\n`}${event === undefined ? "" : `event: ${event}\n`}`;
}

function dataLines(data: string): string {
  return `data: ${data.replaceAll("\n", "\ndata: ")}\n\n`;
}

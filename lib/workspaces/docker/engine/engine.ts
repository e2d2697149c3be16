import { type ClientRequest, type IncomingMessage, request as startRequest } from "node:http";
import type { Socket } from "node:net";
import { SharedError } from "@/lib/schema/shared-error";

/** What an engine answered, or why it did not answer. `code` is the system's (`ENOENT`) if no answer came. */
export class EngineError extends SharedError {
  static override readonly kind = "EngineError";
  readonly status: number | null;
  readonly code: string | null;

  constructor(message: string, { status = null, code = null }: { status?: number | null; code?: string | null } = {}) {
    super(message);
    this.status = status;
    this.code = code;
  }
}

interface EngineRequest {
  readonly method: "GET" | "POST" | "DELETE";
  /** With its query, each part encoded. */
  readonly path: string;
  readonly body?: object;
  readonly signal?: AbortSignal;
  readonly timeoutMs?: number;
}

/** The Engine API over a unix socket, as Docker and Podman's service speak it, in the engine's own newest version. */
export interface Engine {
  readonly socketPath: string;
  /** The reply's JSON; null if it has none. Rejects with EngineError for a status of 400 and above. */
  call(request: EngineRequest): Promise<unknown>;
  /** The objects of a reply that consists of one JSON object a line, as they come. */
  lines(request: EngineRequest): AsyncGenerator<unknown>;
  /** Turns the connection into a raw stream, as for a terminal. The caller destroys it. */
  open(request: EngineRequest): Promise<Socket>;
}

const TIMEOUT_MS = 30_000;
/** Far above every reply that is read here; for what a foreign program behind the socket may send. */
const MAX_REPLY_BYTES = 8 * 2 ** 20;

export function createEngine(socketPath: string): Engine {
  return {
    socketPath,
    async call(request) {
      const message = await send(socketPath, request);
      return parseJson(await readAll(message));
    },
    async *lines(request) {
      yield* readLines(await send(socketPath, request));
    },
    open: (request) => openStream(socketPath, request),
  };
}

function start(socketPath: string, request: EngineRequest, headers: Record<string, string> = {}): ClientRequest {
  const { method, path, body, signal, timeoutMs = TIMEOUT_MS } = request;
  const limit = AbortSignal.timeout(timeoutMs);
  const started = startRequest({
    socketPath,
    method,
    path,
    agent: false,
    headers: { host: "docker", ...(body && { "content-type": "application/json" }), ...headers },
    signal: signal ? AbortSignal.any([signal, limit]) : limit,
  });
  started.end(body && JSON.stringify(body));
  return started;
}

/** Resolves with the reply if it is one of success. */
async function send(socketPath: string, request: EngineRequest): Promise<IncomingMessage> {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  const started = start(socketPath, request);
  started.once("response", resolve);
  started.once("error", (error) => reject(toEngineError(error)));
  const message = await promise;
  const { statusCode = 0 } = message;
  if (statusCode < 400) return message;
  throw await refusal(message);
}

async function refusal(message: IncomingMessage): Promise<EngineError> {
  const text = await readAll(message);
  return new EngineError(readMessage(text), { status: message.statusCode ?? null });
}

/** The engine's own sentence; Docker sends it as `message`, Podman's older versions as `cause` too. */
function readMessage(text: string): string {
  const json = parseJson(text);
  const found = typeof json === "object" && json !== null && "message" in json ? json.message : text;
  return String(found).trim().slice(0, 500);
}

function openStream(socketPath: string, request: EngineRequest): Promise<Socket> {
  const { promise, resolve, reject } = Promise.withResolvers<Socket>();
  // The time limit ends with the upgrade: the stream lives as long as what it shows.
  const opening = new AbortController();
  const timer = setTimeout(() => opening.abort(), request.timeoutMs ?? TIMEOUT_MS);
  const { signal } = request;
  const untilOpen = signal ? AbortSignal.any([signal, opening.signal]) : opening.signal;
  const headers = { connection: "Upgrade", upgrade: "tcp" };
  const started = start(socketPath, { ...request, signal: untilOpen, timeoutMs: 2 ** 31 - 1 }, headers);
  started.once("upgrade", (_, socket: Socket, head) => {
    if (head.byteLength > 0) socket.unshift(head);
    socket.on("error", () => socket.destroy());
    resolve(socket);
  });
  started.once("response", (message) => refusal(message).then(reject, reject));
  started.once("error", (error) => reject(toEngineError(error)));
  return promise.finally(() => clearTimeout(timer));
}

async function readAll(message: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const chunk of message) {
      bytes += chunk.length;
      if (bytes > MAX_REPLY_BYTES) throw new EngineError("The engine's reply is too long.");
      chunks.push(chunk);
    }
  } catch (error) {
    throw toEngineError(error);
  }
  return Buffer.concat(chunks).toString("utf8");
}

async function* readLines(message: IncomingMessage): AsyncGenerator<unknown> {
  let rest = "";
  try {
    for await (const chunk of message.setEncoding("utf8")) {
      const lines = `${rest}${chunk}`.split("\n");
      rest = lines.pop() ?? "";
      for (const line of lines) yield parseJson(line);
      if (rest.length > MAX_REPLY_BYTES) throw new EngineError("The engine's reply is too long.");
    }
  } catch (error) {
    throw toEngineError(error);
  }
  if (rest.trim() !== "") yield parseJson(rest);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** Everything that goes wrong between here and the engine, in one shape. */
export function toEngineError(error: unknown): EngineError {
  if (error instanceof EngineError) return error;
  if (!(error instanceof Error)) return new EngineError(String(error));
  const cause = error.name === "AbortError" || error.name === "TimeoutError" ? "ETIMEDOUT" : null;
  const code = "code" in error && typeof error.code === "string" && error.code.startsWith("E") ? error.code : cause;
  return new EngineError(error.message, { code });
}

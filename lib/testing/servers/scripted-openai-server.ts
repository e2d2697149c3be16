import { readFileSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import {
  type ScriptedAnswer,
  type ScriptedFault,
  toCompletion,
  toEvents,
} from "@/lib/testing/servers/scripted-openai-events";

/** One request as it arrived. `body` is the parsed JSON. */
export interface RecordedRequest {
  readonly path: string;
  readonly headers: IncomingMessage["headers"];
  readonly body: ChatRequestBody;
  /** How the connection ended. */
  readonly closed: Promise<"finished" | "aborted">;
}

export interface ChatRequestBody {
  readonly model?: string;
  readonly messages?: readonly ChatRequestMessage[];
  readonly tools?: readonly { readonly function: { readonly name: string } }[];
  readonly [field: string]: unknown;
}

export interface ChatRequestMessage {
  readonly role: string;
  readonly content?: unknown;
  readonly tool_calls?: readonly {
    readonly id: string;
    readonly function: { readonly name: string; readonly arguments: string };
  }[];
  readonly tool_call_id?: string;
  readonly [field: string]: unknown;
}

export type ScriptedServerStep =
  | ScriptedAnswer
  | ((request: ChatRequestBody) => ScriptedAnswer | Promise<ScriptedAnswer>);

export interface ScriptedServerOptions {
  /** Answers in order; the last one repeats. A function answers all requests. */
  readonly script:
    | readonly ScriptedServerStep[]
    | ((request: ChatRequestBody) => ScriptedAnswer | Promise<ScriptedAnswer>);
  /**
   * Selects the step: the next one, or the one after the number of replies in the request's last turn. With `history`,
   * a conversation resumed by another process continues at the right step.
   */
  readonly pick?: "order" | "history";
  /** The pause between events. 0, the default, sends a reply in one write. */
  readonly eventDelayMs?: number;
  readonly port?: number;
  readonly models?: readonly string[];
  /** Whether to record requests; a benchmark disables this. */
  readonly record?: boolean;
}

export interface ScriptedServer {
  /** The base URL for OPENAI_COMPATIBLE_BASE_URL, with `/v1`. */
  readonly url: string;
  readonly requests: readonly RecordedRequest[];
  /** Resolves with request number `count`, counted from 1, once it has arrived. */
  request(count: number): Promise<RecordedRequest>;
  close(): Promise<void>;
}

/** A plain OpenAI-compatible server on a free loopback port that answers according to a script, including faults. */
export async function startScriptedServer(options: ScriptedServerOptions): Promise<ScriptedServer> {
  const requests: RecordedRequest[] = [];
  const waiting: { count: number; resolve: (request: RecordedRequest) => void }[] = [];
  let answered = 0;

  const server = createServer((incoming, response) => {
    answer(incoming, response).catch((error: unknown) => response.destroy(error instanceof Error ? error : undefined));
  });

  async function answer(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = incoming.url ?? "";
    if (incoming.method === "GET") {
      sendModels(response, options.models ?? ["scripted"]);
      return;
    }
    const body = JSON.parse(await readBody(incoming)) as ChatRequestBody;
    if (options.record !== false) record({ path, headers: incoming.headers, body, closed: whenClosed(response) });
    const step = pickStep(options, answered++, body);
    const reply = typeof step === "function" ? await step(body) : step;
    await reply.gate;
    if (body.stream !== true && !reply.fault) {
      sendJson(response, 200, toCompletion(reply, body.model ?? "scripted"));
      return;
    }
    await send(response, reply, { model: body.model ?? "scripted", eventDelayMs: options.eventDelayMs ?? 0 });
  }

  function record(request: RecordedRequest): void {
    requests.push(request);
    for (const { resolve } of waiting.filter((entry) => entry.count === requests.length)) resolve(request);
  }

  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(options.port ?? 0, "127.0.0.1", resolve);
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    requests,
    request(count) {
      const present = requests[count - 1];
      return present ? Promise.resolve(present) : new Promise((resolve) => waiting.push({ count, resolve }));
    },
    close() {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

function pickStep(options: ScriptedServerOptions, answered: number, body: ChatRequestBody): ScriptedServerStep {
  const { script } = options;
  if (typeof script === "function") return script;
  const index = options.pick === "history" ? repliesOfLastTurn(body) : answered;
  return script[Math.min(index, script.length - 1)] ?? { text: "" };
}

function repliesOfLastTurn({ messages = [] }: ChatRequestBody): number {
  const start = messages.findLastIndex((message) => message.role === "user");
  return messages.slice(start + 1).filter((message) => message.role === "assistant").length;
}

async function send(
  response: ServerResponse,
  reply: ScriptedAnswer,
  { model, eventDelayMs }: { readonly model: string; readonly eventDelayMs: number },
): Promise<void> {
  if (reply.fault && "status" in reply.fault) {
    sendStatus(response, reply.fault);
    return;
  }
  const { events, ending } = toEvents(reply, model);
  response.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-cache" });
  await writeEvents(response, events, reply.eventDelayMs ?? eventDelayMs);
  if (ending === "end") response.end();
  // The written data must arrive before the connection breaks.
  else if (ending === "cut") response.write("", () => setImmediate(() => response.destroy()));
}

async function writeEvents(response: ServerResponse, events: readonly string[], eventDelayMs: number): Promise<void> {
  if (eventDelayMs === 0) {
    response.write(events.join(""));
    return;
  }
  for (const event of events) {
    if (response.destroyed) return;
    response.write(event);
    await new Promise((resolve) => setTimeout(resolve, eventDelayMs));
  }
}

function sendModels(response: ServerResponse, models: readonly string[]): void {
  sendJson(response, 200, { object: "list", data: models.map((id) => ({ id, object: "model" })) });
}

function sendStatus(response: ServerResponse, fault: Extract<ScriptedFault, { status: number }>): void {
  const headers: Record<string, string> = { ...fault.headers };
  if (fault.retryAfter !== undefined) headers["retry-after"] = fault.retryAfter;
  if (fault.body !== undefined) {
    response.writeHead(fault.status, { "content-type": fault.contentType ?? "text/html", ...headers }).end(fault.body);
    return;
  }
  const error = { message: fault.message ?? `scripted ${fault.status}`, type: fault.type ?? "error", code: fault.code };
  sendJson(response, fault.status, { error }, headers);
}

function sendJson(response: ServerResponse, status: number, body: unknown, headers: Record<string, string> = {}): void {
  response.writeHead(status, { "content-type": "application/json", ...headers }).end(JSON.stringify(body));
}

async function readBody(incoming: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString("utf8");
}

function whenClosed(response: ServerResponse): Promise<"finished" | "aborted"> {
  return new Promise((resolve) => {
    response.once("close", () => resolve(response.writableFinished ? "finished" : "aborted"));
  });
}

/**
 * `node --import ./scripts/resolve-imports.ts lib/testing/servers/scripted-openai-server.ts options.json [port]` prints
 * `{"url": …}` and serves until it is stopped.
 */
async function serveFromFile([file = "", port = "0"]: readonly string[]): Promise<void> {
  const options = JSON.parse(readFileSync(file, "utf8")) as ScriptedServerOptions;
  const server = await startScriptedServer({ ...options, record: false, port: Number(port) });
  process.stdout.write(`${JSON.stringify({ url: server.url })}\n`);
  process.once("SIGTERM", () => void server.close());
}

if (import.meta.main) await serveFromFile(process.argv.slice(2));

import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";

type Fields = Record<string, unknown>;

interface OddRequest {
  readonly params: Fields;
  /** How often this method was requested before. */
  readonly before: number;
}

/** What a test lets the server answer: a result, or with `status`, `type` or `events` the whole HTTP answer. */
export interface OddReply {
  readonly result?: unknown;
  readonly error?: unknown;
  /** The id of the answer, if it is not the request's. */
  readonly id?: unknown;
  readonly status?: number;
  readonly type?: string;
  /** The body as it is sent. */
  readonly body?: string;
  /** Messages that are sent as a stream of events before the answer; the answer is left out if `isCut`. */
  readonly events?: readonly unknown[];
  readonly isCut?: boolean;
  /** The connection breaks after the events. */
  readonly isBroken?: boolean;
  /** Nothing comes at all. */
  readonly isSilent?: boolean;
}

type Replies = Map<string, (request: OddRequest) => OddReply | Promise<OddReply>>;

/** An MCP server over HTTP that answers whatever a test says, without any check of its own. */
export interface OddMcpServer {
  readonly url: string;
  /** The same over the older transport: answers come on a stream of their own. */
  readonly sseUrl: string;
  readonly host: string;
  /** The revisions it speaks: those before 2026-07-28 (`earlier`), that one (`current`), or all. */
  speaks: "earlier" | "current" | "both";
  /** The answer to each method. */
  readonly replies: Replies;
  /** The answers to requests of 2026-07-28 alone; the other ones hold for all. */
  readonly currentReplies: Replies;
  /** The methods that reached a session, in order. */
  readonly reached: string[];
  /** The ids of its sessions that it still knows. */
  readonly sessions: Set<string>;
  /** What a request of an unknown session is answered with. */
  refusal: { status: number; body: string };
  reset(): void;
  close(): Promise<void>;
}

const GREETING = {
  protocolVersion: "2025-06-18",
  capabilities: { tools: {} },
  serverInfo: { name: "odd", version: "1" },
};
const CURRENT = "2026-07-28";
const DISCOVERY = {
  resultType: "complete",
  supportedVersions: [CURRENT],
  capabilities: { tools: {} },
  _meta: { "io.modelcontextprotocol/serverInfo": { name: "odd", version: "1" } },
};
const UNSUPPORTED = { code: -32_022, message: "Unsupported protocol version", data: { supported: [CURRENT] } };
const NOT_FOUND = { jsonrpc: "2.0", error: { code: -32_001, message: "Session not found" }, id: null };
const REFUSAL = { status: 404, body: JSON.stringify(NOT_FOUND) };

export async function startOddMcpServer(): Promise<OddMcpServer> {
  const replies: Replies = new Map();
  const currentReplies: Replies = new Map();
  const reached: string[] = [];
  const sessions = new Set<string>();
  let opened = 0;
  const streams = new Map<string, ServerResponse>();
  /** Null for a notification, which gets no answer. */
  const replyTo = async ({ method, params = {}, id }: Asked, known: readonly Replies[], otherwise: Fields) => {
    const before = countOf(reached, method);
    reached.push(method);
    if (id === undefined) return null;
    const reply = known.map((all) => all.get(method)).find((one) => one !== undefined);
    return (await reply?.({ params, before })) ?? { result: otherwise };
  };
  const answerOn = async (stream: ServerResponse, asked: Asked) => {
    const reply = await replyTo(asked, [replies], asked.method === "initialize" ? GREETING : {});
    if (reply !== null) sendOn(stream, asked.id, reply);
  };
  const answer = (response: ServerResponse, { id }: Asked, reply: OddReply | null) => {
    if (reply === null) response.writeHead(202).end();
    else send(response, id, reply);
  };
  const answerCurrent = async (response: ServerResponse, asked: Asked) => {
    const otherwise = asked.method === "server/discover" ? DISCOVERY : {};
    answer(response, asked, await replyTo(asked, [currentReplies, replies], otherwise));
  };
  const answerEarlier = async (response: ServerResponse, asked: Asked, session: string) => {
    if (asked.method === "initialize") {
      opened += 1;
      sessions.add(`session-${opened}`);
      response.setHeader("mcp-session-id", `session-${opened}`);
    } else if (!sessions.has(session)) {
      return void response.writeHead(odd.refusal.status, { "content-type": "application/json" }).end(odd.refusal.body);
    }
    answer(response, asked, await replyTo(asked, [replies], asked.method === "initialize" ? GREETING : {}));
  };
  const http = createServer(async (request, response) => {
    const { pathname, search } = new URL(request.url ?? "/", "http://127.0.0.1");
    if (request.method === "GET" && pathname === "/sse") return openStream(response, streams);
    const stream = pathname === "/messages" ? streams.get(search) : undefined;
    if (stream) {
      const asked = JSON.parse(await text(request));
      response.writeHead(202).end();
      return answerOn(stream, asked);
    }
    if (request.method !== "POST") return void response.writeHead(405).end();
    const asked: Asked = JSON.parse(await text(request));
    const isCurrent = request.headers["mcp-protocol-version"] === CURRENT;
    if (isCurrent && odd.speaks !== "earlier") return answerCurrent(response, asked);
    if (odd.speaks === "current") return send(response, asked.id, { status: 400, error: UNSUPPORTED });
    return answerEarlier(response, asked, String(request.headers["mcp-session-id"] ?? ""));
  });
  await new Promise<void>((resolve) => http.listen(0, "127.0.0.1", resolve));
  const { port } = http.address() as AddressInfo;
  const odd: OddMcpServer = {
    url: `http://127.0.0.1:${port}/mcp`,
    sseUrl: `http://127.0.0.1:${port}/sse`,
    host: `127.0.0.1:${port}`,
    speaks: "earlier",
    replies,
    currentReplies,
    reached,
    sessions,
    refusal: REFUSAL,
    reset() {
      for (const all of [replies, currentReplies, sessions]) all.clear();
      reached.length = 0;
      odd.speaks = "earlier";
      odd.refusal = REFUSAL;
    },
    async close() {
      http.closeAllConnections();
      await new Promise<void>((resolve) => {
        http.close(() => resolve());
      });
    },
  };
  return odd;
}

function countOf(all: readonly string[], method: string): number {
  return all.filter((one) => one === method).length;
}

interface Asked {
  readonly method: string;
  readonly params?: Fields;
  readonly id?: unknown;
}

function openStream(response: ServerResponse, streams: Map<string, ServerResponse>): void {
  const search = `?session=${streams.size + 1}`;
  streams.set(search, response);
  response.writeHead(200, { "content-type": "text/event-stream" });
  response.write(`event: endpoint\ndata: /messages${search}\n\n`);
}

/** The answer as events of the stream; there is no HTTP answer that could be odd. */
function sendOn(stream: ServerResponse, asked: unknown, reply: OddReply): void {
  const { events = [], isCut = false, isBroken = false, status: _, type: __, body, id = asked, ...outcome } = reply;
  const messages = isCut ? events : [...events, { jsonrpc: "2.0", id, ...outcome }];
  const bodies = body === undefined ? messages.map((message) => JSON.stringify(message)) : [body];
  if (isBroken) return void stream.destroy();
  for (const data of bodies) stream.write(`event: message\ndata: ${data}\n\n`);
}

function send(response: ServerResponse, asked: unknown, reply: OddReply): void {
  const {
    events,
    isCut = false,
    isBroken = false,
    isSilent = false,
    status = 200,
    type = "application/json",
    body,
    id = asked,
    ...outcome
  } = reply;
  const answer = { jsonrpc: "2.0", id, ...outcome };
  if (isSilent) return;
  if (events === undefined) {
    response.writeHead(status, { "content-type": type }).end(body ?? JSON.stringify(answer));
    return;
  }
  response.writeHead(200, { "content-type": "text/event-stream" });
  if (isBroken) {
    response.write(": begun\n\n", () => response.destroy());
    return;
  }
  for (const event of isCut ? events : [...events, answer]) response.write(`data: ${JSON.stringify(event)}\n\n`);
  response.end();
}

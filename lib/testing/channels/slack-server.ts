import { createHash, createHmac } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { Duplex } from "node:stream";

export const SLACK_SIGNING_SECRET = "8f742231b10e8888abcd99yyyzzz85a5";
export const SLACK_BOT_TOKEN = "xoxb-test-bot";
export const SLACK_APP_TOKEN = "xapp-test-app";
export const SLACK_BOT_USER = "UBOT";

interface SlackCall {
  readonly method: string;
  readonly token: string;
  readonly fields: Readonly<Record<string, string>>;
}

interface Answer {
  readonly status?: number;
  readonly headers?: Record<string, string>;
  readonly body: unknown;
}

export interface SlackServer {
  /** The value for a channel's `apiRoot`. */
  readonly apiRoot: string;
  /** `host:port`, for the list of private hosts. */
  readonly host: string;
  readonly calls: SlackCall[];
  /** Bytes uploaded to an upload address, by file id. */
  readonly uploads: ReadonlyMap<string, Buffer>;
  /** Acknowledged envelopes, in order. */
  readonly acknowledged: string[];
  /** How many Socket Mode connections were opened. */
  readonly sockets: number;
  /** Overrides the response to the next call of the method. */
  answerNext(method: string, answer: Answer): void;
  /** Sends to the newest Socket Mode connection. */
  push(envelope: unknown): void;
  /** Drops the newest connection without closing it properly. */
  drop(): void;
  /** Resolves once `isTrue` returns true. */
  until(isTrue: () => boolean): Promise<void>;
  close(): Promise<void>;
}

/** The parts of Slack that a bot uses: Web API, files, Socket Mode. */
export async function startSlackServer(port = 0): Promise<SlackServer> {
  const calls: SlackCall[] = [];
  const uploads = new Map<string, Buffer>();
  const acknowledged: string[] = [];
  const planned = new Map<string, Answer[]>();
  const sockets: Duplex[] = [];
  const waiting: { readonly isTrue: () => boolean; readonly resolve: () => void }[] = [];
  const changed = () => {
    for (const { isTrue, resolve } of waiting) if (isTrue()) resolve();
  };

  const origin = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const facts = () => ({ origin: origin(), fileId: `F${uploads.size + 1}`, ts: `1700000000.${calls.length}` });

  const server = createServer(async (request, response) => {
    const bytes = await readAll(request);
    const path = new URL(request.url ?? "/", "http://slack").pathname;
    const token = (request.headers.authorization ?? "").replace("Bearer ", "");
    if (path.startsWith("/upload/")) {
      uploads.set(path.slice("/upload/".length), bytes);
      response.end("OK");
    } else if (path.startsWith("/files/")) {
      if (token !== SLACK_BOT_TOKEN) reply(response, { status: 403, body: "no token" });
      else response.end("the file's bytes");
    } else {
      const method = path.slice("/api/".length);
      const fields = Object.fromEntries(new URLSearchParams(bytes.toString("utf8")));
      calls.push({ method, token, fields });
      reply(response, planned.get(method)?.shift() ?? { body: answerOf({ method, token, fields }, facts()) });
    }
    changed();
  });

  server.on("upgrade", (request: IncomingMessage, socket: Duplex) => {
    sockets.push(socket);
    acceptSocket(request, socket, (text) => {
      acknowledged.push((JSON.parse(text) as { envelope_id: string }).envelope_id);
      changed();
    });
    changed();
  });

  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
  const host = new URL(origin()).host;

  return {
    apiRoot: `${origin()}/api`,
    host,
    calls,
    uploads,
    acknowledged,
    get sockets() {
      return sockets.length;
    },
    answerNext: (method, planned_) => void planned.set(method, [...(planned.get(method) ?? []), planned_]),
    push: (envelope) => void sockets.at(-1)?.write(frame(JSON.stringify(envelope))),
    drop: () => void sockets.at(-1)?.destroy(),
    until: (isTrue) =>
      isTrue() ? Promise.resolve() : new Promise((resolve) => void waiting.push({ isTrue, resolve })),
    close() {
      for (const socket of sockets) socket.destroy();
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

interface Delivery {
  readonly origin: string;
  readonly fileId: string;
  readonly ts: string;
}

function answerOf({ method, token, fields }: SlackCall, { origin, fileId, ts }: Delivery): unknown {
  const wanted = method === "apps.connections.open" ? SLACK_APP_TOKEN : SLACK_BOT_TOKEN;
  if (token !== wanted) return { ok: false, error: "invalid_auth" };
  switch (method) {
    case "auth.test":
      return { ok: true, user: "ringmaster", team: "Acme", user_id: SLACK_BOT_USER };
    case "chat.postMessage":
      return { ok: true, channel: fields.channel, ts };
    case "users.info":
      return { ok: true, user: { name: "petra", profile: { display_name: "Petra" } } };
    case "conversations.info":
      return { ok: true, channel: { name: "release" } };
    case "files.getUploadURLExternal":
      return { ok: true, upload_url: `${origin}/upload/${fileId}`, file_id: fileId };
    case "apps.connections.open":
      return { ok: true, url: `${origin.replace("http", "ws")}/socket` };
    default:
      return { ok: true };
  }
}

/** Answers the handshake, sends a greeting, and passes each text to `onText`. */
function acceptSocket(request: IncomingMessage, socket: Duplex, onText: (text: string) => void): void {
  const key = `${request.headers["sec-websocket-key"]}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`;
  const accept = createHash("sha1").update(key).digest("base64");
  const head = ["HTTP/1.1 101 Switching Protocols", "Upgrade: websocket", "Connection: Upgrade"];
  socket.write(`${[...head, `Sec-WebSocket-Accept: ${accept}`].join("\r\n")}\r\n\r\n`);
  socket.on("error", () => undefined);
  socket.on("data", (data: Buffer) => {
    for (const text of readFrames(data)) onText(text);
    if ((data.at(0) ?? 0) % 16 === 8) socket.end();
  });
  socket.write(frame(JSON.stringify({ type: "hello" })));
}

function reply(response: ServerResponse, { status = 200, headers = {}, body }: Answer): void {
  response.writeHead(status, { "content-type": "application/json", ...headers }).end(JSON.stringify(body));
}

async function readAll(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

/** An unmasked text frame from the server. */
function frame(text: string): Buffer {
  const bytes = Buffer.from(text);
  const head = bytes.length < 126 ? Buffer.from([0x81, bytes.length]) : Buffer.from([0x81, 126, 0, 0]);
  if (bytes.length >= 126) head.writeUInt16BE(bytes.length, 2);
  return Buffer.concat([head, bytes]);
}

/** The texts of masked frames that are short enough to arrive whole. */
function readFrames(data: Buffer): string[] {
  const texts: string[] = [];
  for (let at = 0; at + 6 <= data.length; ) {
    const kind = data.readUInt8(at) % 16;
    const short = data.readUInt8(at + 1) % 128;
    const length = short === 126 ? data.readUInt16BE(at + 2) : short;
    const start = at + (short === 126 ? 8 : 6);
    const mask = data.subarray(start - 4, start);
    const bytes = data.subarray(start, start + length).map((byte, index) => byte ^ (mask[index % 4] ?? 0));
    if (kind === 1) texts.push(Buffer.from(bytes).toString("utf8"));
    at = start + length;
  }
  return texts;
}

interface Signing {
  readonly secret?: string;
  readonly nowMs?: number;
  readonly contentType?: string;
}

/** A request signed as Slack signs it. https://docs.slack.dev/authentication/verifying-requests-from-slack */
export function signedSlackRequest(
  body: string,
  { secret = SLACK_SIGNING_SECRET, nowMs = Date.now(), contentType = "application/json" }: Signing = {},
) {
  const timestamp = String(Math.floor(nowMs / 1_000));
  const signature = createHmac("sha256", secret).update(`v0:${timestamp}:${body}`).digest("hex");
  const headers = new Headers({
    "content-type": contentType,
    "x-slack-request-timestamp": timestamp,
    "x-slack-signature": `v0=${signature}`,
  });
  return { headers, body: Buffer.from(body) };
}

/** The body that Slack posts after a button press. */
export function slackPress(payload: unknown): string {
  return new URLSearchParams({ payload: JSON.stringify(payload) }).toString();
}

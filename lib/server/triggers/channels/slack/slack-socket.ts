import { setTimeout as pause } from "node:timers/promises";
import { WebSocket } from "undici";
import { z } from "zod";
import { createGuardedDispatcher } from "@/lib/server/platform/guarded-fetch";
import { checkDestination } from "@/lib/server/platform/safe-fetch";
import { ChannelRefused, type Connection } from "@/lib/server/triggers/channels/channel";
import { callSlack, slackCredentials } from "./slack-api";

const OPEN_TIMEOUT_MS = 15_000;
/** Slack pings every few seconds and announces when to reconnect; a connection without events is no sign of trouble. */
const LASTING_MS = 30_000;
const MOST_PAUSE_MS = 60_000;

const Envelope = z.object({
  type: z.string(),
  envelope_id: z.string().optional(),
  payload: z.unknown().optional(),
  reason: z.string().optional(),
});
const OpenReply = z.object({ url: z.string() });

/** Resolves once the content of the payload is stored. */
type Take = (payload: unknown) => Promise<void>;

interface SocketOptions {
  readonly signal: AbortSignal;
  /** Replaced in tests. */
  readonly wait?: (delayMs: number, signal: AbortSignal) => Promise<unknown>;
}

/**
 * Receives by Socket Mode until `signal` aborts. Each payload is acknowledged once it is stored; if its connection ends
 * before that, Slack sends it again. Throws the reason if the first connection can't be opened.
 */
export async function receiveBySocket(
  connection: Connection,
  take: Take,
  { signal, wait = (delayMs, stop) => pause(delayMs, undefined, { signal: stop, ref: false }) }: SocketOptions,
): Promise<void> {
  for (let failures = 0; !signal.aborted; ) {
    const startedAt = performance.now();
    await followSocket(connection, take, signal);
    failures = performance.now() - startedAt < LASTING_MS ? failures + 1 : 0;
    // The first time is Slack's routine request to reconnect.
    if (failures > 1) await wait(Math.min(1_000 * 2 ** (failures - 2), MOST_PAUSE_MS), signal).catch(() => undefined);
  }
}

/** How long an address may wait for its connection; Slack accepts it for 30 s, and issues only a few per minute. */
const FRESH_MS = 20_000;
const prepared = new Map<string, { readonly url: string; readonly atMs: number }>();
const preparedKey = (connection: Connection) => `${connection.channelId} ${slackCredentials(connection).appToken}`;

/** Requests an address, which the next connection uses. Throws the reason if none can be opened. */
export async function prepareSocket(connection: Connection, signal: AbortSignal): Promise<void> {
  const url = await openSocketAddress(connection, signal);
  prepared.set(preparedKey(connection), { url, atMs: performance.now() });
}

function takePrepared(connection: Connection): string | null {
  const key = preparedKey(connection);
  const known = prepared.get(key);
  prepared.delete(key);
  return known !== undefined && performance.now() - known.atMs < FRESH_MS ? known.url : null;
}

/**
 * The address for one connection. Throws `ChannelRefused` for a token that is not an app token, or without Socket Mode.
 */
async function openSocketAddress(connection: Connection, signal: AbortSignal): Promise<string> {
  const { appToken } = slackCredentials(connection);
  const call = { method: "apps.connections.open", fields: {}, reply: OpenReply, signal };
  return (await callSlack(connection, { ...call, ...(appToken === undefined ? {} : { token: appToken }) })).url;
}

/** Resolves if the connection ends cleanly or after it was open; throws if it could not be opened. */
async function followSocket(connection: Connection, take: Take, signal: AbortSignal): Promise<void> {
  const url = takePrepared(connection) ?? (await openSocketAddress(connection, signal));
  if (!/^wss?:\/\//.test(url)) throw new Error("Slack gave no address for Socket Mode.");
  await checkDestination(url.replace(/^ws/, "http"), connection);
  const dispatcher = createGuardedDispatcher(connection);
  try {
    await readSocket(new WebSocket(url, { dispatcher }), take, signal);
  } finally {
    await dispatcher.destroy();
  }
}

function readSocket(socket: WebSocket, take: Take, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    let isOpen = false;
    let failure: Error | null = null;
    const stop = () => socket.close();
    const timer = setTimeout(() => {
      failure = new Error("Slack did not open the connection of Socket Mode within 15 s.");
      stop();
    }, OPEN_TIMEOUT_MS);
    signal.addEventListener("abort", stop, { once: true });
    socket.addEventListener("message", ({ data }) => {
      const envelope = parseEnvelope(data);
      if (envelope?.type === "hello") {
        isOpen = true;
        clearTimeout(timer);
      } else if (envelope?.type === "disconnect") {
        if (envelope.reason === "link_disabled") failure = new ChannelRefused(LINK_DISABLED);
        stop();
      } else void acknowledge(socket, take, envelope);
    });
    socket.addEventListener("error", ({ message }) => {
      failure ??= new Error(`The connection of Socket Mode failed: ${message || "it was closed"}.`);
    });
    socket.addEventListener("close", () => {
      clearTimeout(timer);
      signal.removeEventListener("abort", stop);
      const mayFail = failure !== null && (!isOpen || failure instanceof ChannelRefused) && !signal.aborted;
      if (mayFail) reject(failure);
      else resolve();
    });
  });
}

/** A payload that could not be stored is not acknowledged: Slack sends it again. */
async function acknowledge(socket: WebSocket, take: Take, envelope: z.output<typeof Envelope> | null): Promise<void> {
  if (envelope?.envelope_id === undefined) return;
  try {
    await take(envelope.payload);
  } catch {
    return;
  }
  if (socket.readyState === WebSocket.OPEN) socket.send(JSON.stringify({ envelope_id: envelope.envelope_id }));
}

const LINK_DISABLED = "Socket Mode was switched off for the app. Switch it on at Slack, or give a signing secret.";

function parseEnvelope(data: unknown): z.output<typeof Envelope> | null {
  if (typeof data !== "string") return null;
  try {
    return Envelope.safeParse(JSON.parse(data)).data ?? null;
  } catch {
    return null;
  }
}

import "server-only";
import type { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { ErrorCode, McpError } from "@modelcontextprotocol/sdk/types.js";
import { McpNotConnected } from "./oauth/connection-row";

const LOOK_EVERY_MS = 15_000;
const PING_MS = 10_000;

export interface CallWatch {
  /** Pings the server now, or waits for the ping under way; used when its stream breaks. */
  look(): Promise<void>;
  stop(): void;
}

/**
 * Watches whether the server is still there while one of its calls runs: over HTTP, nothing else ends a call whose
 * server has gone. The server is pinged periodically and by `look`. `onGone` is called once, with the reason.
 */
export function watchCall(client: Client, onGone: (why: unknown) => void): CallWatch {
  let isOver = false;
  let asking: Promise<void> | null = null;
  const ask = async () => {
    const why = await client.ping({ timeout: PING_MS }).then(() => null, goneFor);
    asking = null;
    if (why === null || isOver) return;
    stop();
    onGone(why);
  };
  const look = async () => {
    if (isOver) return;
    asking ??= ask();
    await asking;
  };
  const timer = setInterval(() => void look(), LOOK_EVERY_MS);
  timer.unref();
  const stop = () => {
    isOver = true;
    clearInterval(timer);
  };
  return { look, stop };
}

/** Any answer, even "busy" or "unknown method ping", comes from a server that is there. */
function goneFor(error: unknown): unknown {
  if (error instanceof McpNotConnected) return null;
  const isAnswer = error instanceof McpError && error.code !== ErrorCode.ConnectionClosed;
  return isAnswer ? null : error;
}

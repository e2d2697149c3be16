import type { GuardedFetch } from "@/lib/server/platform/guarded-fetch";
import {
  isObject,
  isResponse,
  type JsonObject,
  type RequestId,
  readMessages,
} from "@/lib/server/tools/mcp/reading/read-message";
import { type ArgumentHeaders, headerValue } from "./argument-headers";

type Send = GuardedFetch["fetch"];

/** HTTP as the revision 2026-07-28 uses it. */
export interface CurrentFetch {
  readonly fetch: Send;
  /** Ends the HTTP request of a request: that is how it is cancelled. */
  cancel(id: RequestId): void;
  /** The request was answered. */
  ended(id: RequestId): void;
}

/**
 * `send` with the headers that repeat what a message says, so that it can be routed without being read. Errors of the
 * protocol, which come with a status of their own, are passed on as answers.
 */
export function currentFetch(send: Send, revision: string, argumentHeaders: ArgumentHeaders): CurrentFetch {
  const running = new Map<string, AbortController>();
  const request = async (asked: Asked, ...[input, init = {}]: Parameters<Send>) => {
    const stop = new AbortController();
    running.set(String(asked.id), stop);
    const headers = new Headers(init.headers);
    for (const [name, value] of headersOf(asked, argumentHeaders)) headers.set(name, value);
    const signal = init.signal ? AbortSignal.any([init.signal, stop.signal]) : stop.signal;
    const response = await send(input, { ...init, headers, signal });
    return response.ok ? response : withError(response, asked.id);
  };
  return {
    async fetch(input, init = {}) {
      const headers = new Headers(init.headers);
      headers.set("MCP-Protocol-Version", revision);
      // There are no sessions: what a server gives out all the same would tie its requests together.
      headers.delete("mcp-session-id");
      const asked = readAsked(init.body);
      return asked === null ? send(input, { ...init, headers }) : request(asked, input, { ...init, headers });
    },
    cancel: (id) => running.get(String(id))?.abort(),
    ended: (id) => void running.delete(String(id)),
  };
}

interface Asked {
  readonly id: RequestId;
  readonly method: string;
  readonly params: JsonObject;
}

function readAsked(body: unknown): Asked | null {
  const message: unknown = typeof body === "string" ? JSON.parse(body) : null;
  if (!isObject(message)) return null;
  const { id, method, params } = message;
  if (typeof method !== "string" || (typeof id !== "string" && typeof id !== "number")) return null;
  return { id, method, params: isObject(params) ? params : {} };
}

function headersOf({ method, params }: Asked, argumentHeaders: ArgumentHeaders) {
  const name = method === "resources/read" ? params.uri : params.name;
  return [
    ["Mcp-Method", method],
    ...(typeof name === "string" ? [["Mcp-Name", headerValue(name)]] : []),
    ...(method === "tools/call" && typeof name === "string" ? argumentHeaders.of(name, params.arguments) : []),
  ] as const;
}

/** The answer, if the refusal is one to this request in the protocol's own form. */
async function withError(response: Response, asked: RequestId): Promise<Response> {
  const { status, headers } = response;
  const text = await response.text();
  const answer = messagesIn(text).find((one) => isResponse(one) && "error" in one && String(one.id) === String(asked));
  if (answer === undefined) return new Response(text, { status, headers });
  return new Response(JSON.stringify(answer), { headers: { "content-type": "application/json" } });
}

function messagesIn(text: string): JsonObject[] {
  try {
    return readMessages(JSON.parse(text));
  } catch {
    return [];
  }
}

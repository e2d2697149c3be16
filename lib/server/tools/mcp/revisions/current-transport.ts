import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import {
  ErrorCode,
  type JSONRPCMessage,
  type JSONRPCRequest,
  LATEST_PROTOCOL_VERSION,
  McpError,
} from "@modelcontextprotocol/sdk/types.js";
import { McpFailure } from "@/lib/server/tools/mcp/reading/failure-message";
import { isObject, type JsonObject, type RequestId, readMessages } from "@/lib/server/tools/mcp/reading/read-message";
import type { ArgumentHeaders } from "./argument-headers";
import { createChangeStream } from "./change-stream";
import { CALL_MARK, createNeededInput, type NeededInput, ROUND_MARK } from "./needed-input";
import { type CurrentWire, createWireRequests, type WireRequests } from "./wire-requests";

/** The first revision without sessions. */
export const CURRENT_REVISION = "2026-07-28";

const SERVER_INFO = "io.modelcontextprotocol/serverInfo";

interface Spoken {
  readonly name: string;
  readonly version: string;
  readonly capabilities: object;
  /** How long the server has for its first answer. */
  readonly discoverMs: number;
  readonly argumentHeaders: ArgumentHeaders;
}

type Deliver = (message: object) => void;

/**
 * A server of the revision 2026-07-28 as a transport for the client of those before. Nothing is kept between requests:
 * each says who asks, and what the server needs of a person is the result of a request that is sent again with the
 * reply. `start` throws if the server does not speak the revision.
 */
export function currentTransport(wire: CurrentWire, spoken: Spoken): Transport & { readonly protocolVersion: string } {
  const requests = createWireRequests(wire, envelopeOf(spoken));
  const deliver: Deliver = (message) => transport.onmessage?.({ jsonrpc: "2.0", ...message } as JSONRPCMessage);
  const input = createNeededInput(deliver);
  const changes = createChangeStream(requests, () => deliver({ method: "notifications/tools/list_changed" }));
  let greeting: JsonObject = {};

  const receive = (message: JsonObject) => {
    if (message.method === "notifications/subscriptions/acknowledged") changes.acknowledged();
    if ("method" in message) deliver(message);
    else requests.answered(message);
  };
  const sendRequest = async (message: JSONRPCRequest) => {
    if (message.method === "initialize") return deliver({ id: message.id, result: greeting });
    changes.open(greeting.capabilities);
    try {
      const answer = message.method === "ping" ? await ping(requests) : await inRounds(message, requests, input);
      if (answer === null) return;
      if (message.method === "tools/list" && isObject(answer.result)) spoken.argumentHeaders.learn(answer.result);
      deliver({ id: message.id, ...answer });
    } finally {
      requests.forget(message.id);
    }
  };
  const transport: Transport & { readonly protocolVersion: string } = {
    protocolVersion: CURRENT_REVISION,
    async start() {
      wire.transport.onmessage = (message) => receive(message as JsonObject);
      wire.transport.onerror = (error) => transport.onerror?.(error);
      wire.transport.onclose = () => {
        requests.close();
        transport.onclose?.();
      };
      await wire.transport.start();
      greeting = readGreeting(await within(spoken.discoverMs, requests.ask("server/discover", {})));
    },
    async send(message) {
      if ("method" in message && "id" in message) return sendRequest(message);
      if (!("method" in message)) {
        // Some servers still ask in a request of their own.
        if (!input.take(message as JsonObject)) await wire.transport.send(message);
      } else if (message.method === "notifications/cancelled") {
        requests.cancel(message.params?.requestId as RequestId);
      }
    },
    close: () => wire.transport.close(),
  };
  return transport;
}

function envelopeOf({ name, version, capabilities }: Spoken): JsonObject {
  return {
    "io.modelcontextprotocol/protocolVersion": CURRENT_REVISION,
    "io.modelcontextprotocol/clientInfo": { name, version },
    "io.modelcontextprotocol/clientCapabilities": capabilities,
  };
}

/** There are no pings any more: a server that is there can say what it is. */
async function ping({ ask }: WireRequests): Promise<JsonObject> {
  await ask("server/discover", {});
  return { result: {} };
}

/** The result or the error of a request, sent again as long as the server needs something; null if it was cancelled. */
async function inRounds(
  { id, method, params = {} }: JSONRPCRequest,
  requests: WireRequests,
  input: NeededInput,
): Promise<JsonObject | null> {
  const { [CALL_MARK]: call, [ROUND_MARK]: kept, ...meta } = params._meta ?? {};
  const continued = await input.continueRound(kept, call);
  let more = continued?.more ?? {};
  for (let round = continued?.round ?? 1; ; round += 1) {
    const { result, error } = await requests.ask(method, { ...params, _meta: meta, ...more }, id).catch((failure) => {
      // What has begun was not refused, whatever the failure says.
      throw round === 1 ? failure : new McpFailure(failure);
    });
    if (!isObject(result)) return { error: round === 1 ? error : asFailure(error) };
    const next = await input.nextRound(result, call, round);
    if (requests.isCancelled(id)) return null;
    if (next === null) {
      const { resultType: _, ...answer } = result;
      return { result: answer };
    }
    more = next;
  }
}

function asFailure(error: unknown): JsonObject {
  return { ...(isObject(error) ? error : {}), code: ErrorCode.InternalError };
}

/** What the client of the revisions before reads as the answer to `initialize`. */
function readGreeting({ result, error }: JsonObject): JsonObject {
  if (!isObject(result)) throw new McpError(ErrorCode.InvalidRequest, isObject(error) ? String(error.message) : "");
  const { supportedVersions, capabilities, serverInfo, instructions, _meta: meta } = result;
  const isSpoken = [supportedVersions].flat().includes(CURRENT_REVISION);
  if (!isSpoken) throw new Error(`The server does not speak the revision ${CURRENT_REVISION}.`);
  const info = (isObject(meta) ? meta[SERVER_INFO] : undefined) ?? serverInfo;
  const asBefore = { protocolVersion: LATEST_PROTOCOL_VERSION, capabilities, serverInfo: info, instructions };
  const [read] = readMessages({ result: asBefore });
  return isObject(read?.result) ? read.result : {};
}

async function within<T>(milliseconds: number, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new McpError(ErrorCode.RequestTimeout, "Request timed out")), milliseconds);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}

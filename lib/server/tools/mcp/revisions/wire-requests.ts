import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import { isObject, type JsonObject, type RequestId } from "@/lib/server/tools/mcp/reading/read-message";

/** What carries the messages of the revision 2026-07-28. */
export interface CurrentWire {
  readonly transport: Transport;
  readonly cancel: (id: RequestId) => void;
  readonly ended: (id: RequestId) => void;
}

/** The requests under way on a wire, under ids of their own: one of the client may be sent several times. */
export interface WireRequests {
  /** Resolves with the answer, an error too. Rejects if there is none. `owner` is the client's request it is for. */
  ask(method: string, params: JsonObject, owner?: RequestId): Promise<JsonObject>;
  /** Takes an answer of the server. */
  answered(reply: JsonObject): void;
  /** Cancels what was sent for a request of the client, which is not sent again. */
  cancel(owner: RequestId): void;
  isCancelled(owner: RequestId): boolean;
  /** The client's request is over. */
  forget(owner: RequestId): void;
  /** Ends all. */
  close(): void;
}

interface Waiting {
  readonly resolve: (reply: JsonObject) => void;
  readonly reject: (error: unknown) => void;
}

/** `envelope`: what each request says of the client, in its `_meta`. */
export function createWireRequests(wire: CurrentWire, envelope: JsonObject): WireRequests {
  const waiting = new Map<string, Waiting>();
  const sentAs = new Map<RequestId, number>();
  const cancelled = new Set<RequestId>();
  let sent = 0;
  return {
    async ask(method, { _meta: meta, ...params }, owner) {
      sent += 1;
      const id = sent;
      if (owner !== undefined) sentAs.set(owner, id);
      const withEnvelope = { ...params, _meta: { ...(isObject(meta) ? meta : {}), ...envelope } };
      try {
        return await new Promise<JsonObject>((resolve, reject) => {
          waiting.set(String(id), { resolve, reject });
          wire.transport.send({ jsonrpc: "2.0", id, method, params: withEnvelope }).catch(reject);
        });
      } finally {
        waiting.delete(String(id));
        wire.ended(id);
      }
    },
    answered: (reply) => waiting.get(String(reply.id))?.resolve(reply),
    cancel(owner) {
      const id = sentAs.get(owner);
      if (id === undefined) return;
      cancelled.add(owner);
      wire.cancel(id);
    },
    isCancelled: (owner) => cancelled.has(owner),
    forget(owner) {
      sentAs.delete(owner);
      cancelled.delete(owner);
    },
    close() {
      for (const { reject } of waiting.values()) reject(new Error("The connection was closed."));
    },
  };
}

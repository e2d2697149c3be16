import { once } from "node:events";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { acceptedContent, createMcpHandler, inputRequired, Server, type Tool } from "@modelcontextprotocol/server";
import { z } from "zod";

/** A real MCP server of the revision 2026-07-28 over HTTP. */
export interface CurrentMcpServer {
  readonly url: string;
  readonly host: string;
  /** The requests in order: their method, and the headers that repeat what they say. */
  readonly requests: { readonly method: string; readonly headers: IncomingMessage["headers"] }[];
  /** How often each tool ran to its end. */
  readonly ran: Map<string, number>;
  /** Changes a tool's description and says so on the open streams. */
  describe(name: string, description: string): void;
  close(): Promise<void>;
}

const object = (properties: Tool["inputSchema"]["properties"] = {}) => ({ type: "object" as const, properties });

/** `legacy`: what it does with clients of the revisions before. */
export async function startCurrentMcpServer(legacy: "reject" | "stateless"): Promise<CurrentMcpServer> {
  const requests: CurrentMcpServer["requests"] = [];
  const ran = new Map<string, number>();
  const descriptions = new Map<string, string>();
  const handler = createMcpHandler(() => currentProtocolServer(ran, descriptions), { legacy });
  const http = createServer(async (incoming, outgoing) => {
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk);
    const body = Buffer.concat(chunks);
    if (body.length > 0) requests.push({ method: JSON.parse(body.toString()).method, headers: incoming.headers });
    const left = new AbortController();
    outgoing.on("close", () => left.abort());
    const method = incoming.method ?? "GET";
    const headers = new Headers(incoming.headers as Record<string, string>);
    const init = { method, headers, signal: left.signal, ...(method === "POST" ? { body } : {}) };
    const reply = await handler.fetch(new Request(`http://127.0.0.1${incoming.url}`, init));
    outgoing.writeHead(reply.status, Object.fromEntries(reply.headers));
    try {
      for await (const chunk of reply.body ?? []) outgoing.write(chunk);
    } catch {
      // The stream of a client that left ends with an error.
    }
    outgoing.end();
  });
  http.listen(0, "127.0.0.1");
  await once(http, "listening");
  const { port } = http.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/mcp`,
    host: `127.0.0.1:${port}`,
    requests,
    ran,
    describe(name, description) {
      descriptions.set(name, description);
      handler.notify.toolsChanged();
    },
    async close() {
      await handler.close();
      http.closeAllConnections();
      http.close();
      await once(http, "close");
    },
  };
}

const Name = z.object({ name: z.string() });

/** Its tools: `greet` echoes, `order` asks twice, `hoard` asks once and hands out much with it, `route` wants a header, `count` reports progress, `wait` ends when it is cancelled. */
export function currentProtocolServer(ran: Map<string, number>, descriptions: ReadonlyMap<string, string>): Server {
  const server = new Server({ name: "newest", version: "2.0.0" }, { capabilities: { tools: { listChanged: true } } });
  server.setRequestHandler("tools/list", () => ({
    tools: [
      { name: "greet", inputSchema: object({ name: { type: "string" } }) },
      { name: "order", inputSchema: object() },
      { name: "hoard", inputSchema: object() },
      { name: "route", inputSchema: object({ region: { type: "string", "x-mcp-header": "Region" } }) },
      { name: "count", inputSchema: object() },
      { name: "wait", inputSchema: object() },
    ].map((tool) => ({ ...tool, description: descriptions.get(tool.name) ?? `Does ${tool.name}.` })),
  }));
  const done = (name: string, text: string) => {
    ran.set(name, (ran.get(name) ?? 0) + 1);
    return { content: [{ type: "text" as const, text }] };
  };
  server.setRequestHandler("tools/call", async ({ params: { name, arguments: args = {} } }, { mcpReq }) => {
    if (name === "greet") return done(name, `Hello, ${args.name}!`);
    if (name === "route") return done(name, `Sent to ${args.region}.`);
    if (name === "count") {
      const progressToken = mcpReq._meta?.progressToken ?? "";
      const params = { progressToken, progress: 1, total: 2, message: "half" };
      await mcpReq.notify({ method: "notifications/progress", params });
      return done(name, "Counted.");
    }
    if (name === "wait") {
      await once(mcpReq.signal, "abort");
      return done(name, "Cancelled.");
    }
    if (name === "hoard" && mcpReq.inputResponses) return done(name, "Much.");
    if (name === "hoard") return askFor("who", "Who orders?", "x".repeat(200_000));
    const state = mcpReq.requestState<string>();
    const reply = order((field) => acceptedContent(mcpReq.inputResponses, field, Name)?.name, state);
    return typeof reply === "string" ? done(name, reply) : reply;
  });
  return server;
}

function askFor(field: string, message: string, requestState?: string) {
  const inputRequests = { [field]: inputRequired.elicit({ message, requestedSchema: Name }) };
  return inputRequired({ inputRequests, ...(requestState === undefined ? {} : { requestState }) });
}

/** Asks who orders, then what; the state is who has answered. */
function order(answerTo: (field: string) => string | undefined, state: string | undefined) {
  const who = answerTo("who") ?? state;
  if (who === undefined) return askFor("who", "Who orders?");
  const what = answerTo("what");
  if (what !== undefined) return `${what} for ${who}.`;
  return state === undefined ? askFor("what", "What?", who) : `Nothing for ${who}.`;
}

import "server-only";
import type { CallToolRequest, RequestId, Server, ServerContext } from "@modelcontextprotocol/server";
import type { McpBody } from "@/lib/schema/apis/mcp";
import { readTraceparent } from "@/lib/schema/apis/traceparent";
import { AppError } from "@/lib/schema/app-error";
import type { Interrupt } from "@/lib/schema/runs/interrupt";
import type { Viewer } from "@/lib/schema/users/user";
import { openAtOnce } from "@/lib/server/http/event-stream";
import { logger } from "@/lib/server/platform/logger";
import { requestContext, withRequestContext } from "@/lib/server/platform/request-context";
import { redactSecrets } from "@/lib/server/platform/secrets/known-secrets";
import type { Services } from "@/lib/server/platform/services";
import { VERSION } from "@/lib/server/platform/version";
import { agentOfTool, listAgentTools } from "./agent-tools";
import { findOwnRun } from "./answer-ask";
import { formOfAsk } from "./ask-form";
import { type AgentCall, type AskWay, callAgent, continueCall, textResult } from "./call-agent";
import { askMessageId, takeMessages } from "./client-messages";
import { canElicit, type McpSession, newSessionId, readSession, threadOfCall } from "./mcp-session";
import { callTraceTool, isTraceTool, listTraceTools } from "./trace-tools";

interface McpCall {
  readonly request: Request;
  readonly body: McpBody;
  readonly viewer: Viewer;
  /** Aborts when the client disconnects. */
  readonly signal: AbortSignal;
}

interface Exchange extends McpCall {
  readonly era: "legacy" | "modern";
  readonly session: McpSession | null;
}

const SESSION = "mcp-session-id";
const CLIENT_CAPABILITIES = "io.modelcontextprotocol/clientCapabilities";
const KEEP_ALIVE_MS = 15_000;
const INSTRUCTIONS =
  "Each agent is a tool that takes a message and returns its answer. find_runs, read_run, compare_runs and score_run work on what the agents did.";

/**
 * Answers one request of an MCP client, of the revision 2026-07-28 or of one before. Nothing of a client is kept
 * between requests, so each may reach another process.
 */
export async function serveMcp(services: Services, call: McpCall): Promise<Response> {
  const { request, body, viewer } = call;
  const session = readSession(request.headers.get(SESSION));
  if (await takeMessages(services, viewer, session, body)) return new Response(null, { status: 202 });
  const { createMcpHandler } = await import("@modelcontextprotocol/server");
  const handler = createMcpHandler(({ era }) => createServer(services, { ...call, era, session }), {
    // A call may take long: its stream is kept alive from the start.
    responseMode: methodOf(body) === "tools/call" ? "sse" : "auto",
    keepAliveMs: KEEP_ALIVE_MS,
    onerror: (err) => logger().debug({ err }, "a request of an MCP client was refused"),
  });
  const reply = await handler.fetch(request, { parsedBody: body });
  return withHeaders(reply, methodOf(body) === "initialize" ? { [SESSION]: newSessionId(canAskIn(body)) } : {});
}

function methodOf(body: McpBody): unknown {
  return Array.isArray(body) ? undefined : body.method;
}

function canAskIn(body: McpBody): boolean {
  const params = Array.isArray(body) ? undefined : body.params;
  return typeof params === "object" && params !== null && "capabilities" in params && canElicit(params.capabilities);
}

function withHeaders({ body, status, headers }: Response, more: Record<string, string>): Response {
  const own = { "cache-control": "no-store", "x-accel-buffering": "no", ...more };
  const set = new Headers({ ...Object.fromEntries(headers), ...own });
  // Whether the connection is kept is between the client and the server below, as in `event-stream.ts`.
  set.delete("connection");
  const isEventStream = headers.get("content-type")?.startsWith("text/event-stream") === true;
  return new Response(body && isEventStream ? openAtOnce(body) : body, { status, headers: set });
}

async function createServer(services: Services, exchange: Exchange): Promise<Server> {
  const { ProtocolError, ProtocolErrorCode, Server } = await import("@modelcontextprotocol/server");
  const { viewer } = exchange;
  const server = new Server(
    { name: "ringmaster", title: "Ringmaster", version: VERSION },
    { capabilities: { tools: {} }, instructions: INSTRUCTIONS },
  );
  const mayCall = viewer.scopes.includes("chat");
  server.setRequestHandler("tools/list", async () => ({
    tools: mayCall ? [...(await listAgentTools(services.database, viewer)), ...listTraceTools()] : [],
  }));
  server.setRequestHandler("tools/call", async ({ params }, context) => {
    const unknown = new ProtocolError(ProtocolErrorCode.InvalidParams, `There is no tool "${params.name}".`);
    if (!mayCall) throw unknown;
    try {
      const result = isTraceTool(params.name)
        ? await callTraceTool(services, viewer, params.name, params.arguments ?? {})
        : await callAgentTool(services, { ...exchange, server }, params, context);
      if (result === null) throw unknown;
      return result;
    } catch (error) {
      if (error === unknown) throw error;
      return { ...textResult(wordsOf(error)), isError: true };
    }
  });
  return server;
}

interface ServedExchange extends Exchange {
  readonly server: Server;
}

async function callAgentTool(
  services: Services,
  exchange: ServedExchange,
  { name, arguments: args = {} }: CallToolRequest["params"],
  { mcpReq }: ServerContext,
) {
  const { viewer, session, server } = exchange;
  const agentId = await agentOfTool(services.database, viewer, name);
  if (agentId === null) return null;
  const call: AgentCall = {
    viewer,
    ways: wayToAsk(exchange, server, mcpReq),
    signal: AbortSignal.any([exchange.signal, mcpReq.signal]),
    onProgress: progressOf(mcpReq),
  };
  const state = mcpReq.requestState<string>();
  if (state === undefined) {
    const threadId = session === null ? undefined : threadOfCall(session, mcpReq.id);
    return inCallersTrace(mcpReq, () => callAgent(services, call, { agentId, args, threadId }));
  }
  const run = await findOwnRun(services.database, viewer, state);
  if (run?.agentId !== agentId) throw new AppError("not_found", "There is no such run of this agent.");
  return continueCall(services, call, run, mcpReq.inputResponses ?? {});
}

/** A call may name its own trace in `_meta` (SEP-414), which says more than the header of its request. */
function inCallersTrace<Result>({ _meta }: ServerContext["mcpReq"], work: () => Promise<Result>): Promise<Result> {
  const given = _meta?.traceparent;
  const traceparent = readTraceparent(typeof given === "string" ? given : null);
  return traceparent === null ? work() : withRequestContext({ ...requestContext(), traceparent }, work);
}

function wayToAsk({ era, session }: Exchange, server: Server, { id, envelope }: ServerContext["mcpReq"]): AskWay {
  if (era === "modern") return { kind: canElicit(Reflect.get(envelope ?? {}, CLIENT_CAPABILITIES)) ? "retry" : "none" };
  return session?.canAsk ? { kind: "push", send: (runId, ask) => sendAsk(server, id, runId, ask) } : { kind: "none" };
}

/** The id says which ask is meant, so that the reply, a request of its own, can be taken by any process. */
async function sendAsk(server: Server, relatedRequestId: RequestId, runId: string, ask: Interrupt): Promise<void> {
  const { message, requestedSchema } = formOfAsk(ask);
  const params = { message, requestedSchema };
  const request = { jsonrpc: "2.0", id: askMessageId(runId, ask), method: "elicitation/create", params } as const;
  await server.transport?.send(request, { relatedRequestId });
}

function progressOf({ _meta, notify }: ServerContext["mcpReq"]): (message: string) => void {
  const progressToken = _meta?.progressToken;
  if (progressToken === undefined) return () => undefined;
  let progress = 0;
  return (message) => {
    progress += 1;
    const params = { progressToken, progress, message };
    notify({ method: "notifications/progress", params }).catch((err: unknown) => {
      logger().debug({ err }, "the progress of a run could not be sent to an MCP client");
    });
  };
}

/** What the client's model reads of a refusal. */
function wordsOf(error: unknown): string {
  if (error instanceof AppError && error.code !== "internal") return redactSecrets(error.message);
  logger().error({ err: error }, "a tool call of an MCP client failed");
  return "Something went wrong on the server.";
}

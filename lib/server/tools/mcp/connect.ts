import "server-only";
import { Client, type ClientOptions } from "@modelcontextprotocol/sdk/client/index.js";
import { SSEClientTransport } from "@modelcontextprotocol/sdk/client/sse.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import {
  type ElicitRequestFormParams,
  ElicitRequestSchema,
  type ElicitResult,
  type JSONRPCMessage,
  type Progress,
  ResultSchema,
  ToolListChangedNotificationSchema,
} from "@modelcontextprotocol/sdk/types.js";
import type { McpDefinition } from "@/lib/schema/tools/mcp-server";
import { database } from "@/lib/server/platform/db/database";
import { env } from "@/lib/server/platform/env";
import { createGuardedFetch } from "@/lib/server/platform/guarded-fetch";
import { VERSION } from "@/lib/server/platform/version";
import { serverCommand } from "@/lib/workspaces/sandbox/server-sandbox";
import { authorizedFetch } from "./oauth/authorized-fetch";
import { McpNotConnected } from "./oauth/connection-row";
import { McpFailure } from "./reading/failure-words";
import type { JsonObject } from "./reading/read-message";
import { readPages } from "./reading/read-pages";
import { readTool } from "./reading/read-tool";
import { type AnswerListener, readingFetch } from "./reading/reading-fetch";
import { McpSessionLost, sessionFetch } from "./reading/session-lost";
import { resolveCommand, SEARCH_PATH } from "./resolve-command";
import { type McpServerInfo, type McpServerRow, readArgs, readMounts, readSecrets } from "./server-row";
import { createStdioTransport } from "./stdio-transport";
import { type CallWatch, watchCall } from "./watch-call";

const CONNECT_MS = 20_000;
const LIST_MS = 20_000;
/** Calls end with the tool's time limit or with the run, so this limit is never reached. */
const CALL_MS = 86_400_000;
/** Prompts and resources are counted up to this number. */
const MAX_COUNTED = 1_000;

export type ElicitationParams = ElicitRequestFormParams;

/** The listener of a running call. */
export interface CallListener {
  readonly onProgress: (progress: Progress) => void;
  readonly onElicitation: (asked: ElicitationParams) => Promise<ElicitResult>;
}

export interface McpConnection {
  readonly isClosed: () => boolean;
  /** True once for each time the server reports that its tools changed. */
  takeToolsChanged(): boolean;
  facts(): Promise<McpServerInfo>;
  listTools(signal?: AbortSignal): Promise<Map<string, McpDefinition>>;
  callTool(
    name: string,
    args: Record<string, unknown>,
    listener: CallListener,
    signal: AbortSignal,
  ): Promise<JsonObject>;
  readonly client: Client;
  close(): Promise<void>;
}

/** Replaces the default, which compiles a server's schemas to code; nothing here relies on that validation. */
const ACCEPTS_ALL: NonNullable<ClientOptions["jsonSchemaValidator"]> = {
  getValidator: () => (input) => ({ valid: true, data: input as never, errorMessage: undefined }),
};

/**
 * A connection to the server as configured. It offers no sampling, so the protocol refuses requests for it; elicitation
 * goes to the one running call. `holder`: whose OAuth tokens it carries. Throws an Error whose text is meant for
 * people, McpNotConnected if the server refuses the tokens; its requests throw McpSessionLost.
 */
export async function connectMcp(row: McpServerRow, holder: string | null = null): Promise<McpConnection> {
  const answer = (message: JsonObject) => transport.onmessage?.(message as unknown as JSONRPCMessage);
  const { transport, complaints, refusal, isLost, release } = openTransport(row, holder, {
    // If the server is gone, its calls end with that.
    onBroken: (message) => void look().then(() => answer(message)),
    onUnanswerable: answer,
  });
  const client = new Client(
    { name: "ringmaster", version: VERSION },
    {
      capabilities: { elicitation: { form: {} } },
      jsonSchemaValidator: ACCEPTS_ALL,
    },
  );
  const running = new Set<CallListener>();
  const watches = new Set<CallWatch>();
  let isClosed = false;
  let toolsChanged = false;
  const look = () => Promise.all([...watches].map((watch) => watch.look()));
  client.onerror = () => void look();
  client.onclose = () => {
    isClosed = true;
    void release();
  };
  client.setNotificationHandler(ToolListChangedNotificationSchema, () => {
    toolsChanged = true;
  });
  client.setRequestHandler(ElicitRequestSchema, async ({ params }) => {
    const [listener, ...others] = running;
    // With several calls on one connection, it is unknown which one the question belongs to.
    if (!listener || others.length > 0 || !("requestedSchema" in params)) return { action: "decline" };
    return listener.onElicitation(params);
  });
  try {
    await client.connect(transport, { timeout: CONNECT_MS });
  } catch (error) {
    await client.close().catch(() => undefined);
    await release();
    throw refusal() ?? new McpFailure(error, complaints());
  }
  const close = async () => {
    isClosed = true;
    await client.close().catch(() => undefined);
    await release();
  };
  return {
    client,
    isClosed: () => isClosed || isLost(),
    takeToolsChanged() {
      const was = toolsChanged;
      toolsChanged = false;
      return was;
    },
    facts: () => readServerFacts(client, transport),
    listTools: (signal) => listTools(client, signal),
    async callTool(name, args, listener, signal) {
      running.add(listener);
      try {
        // When a program exits, its calls end automatically.
        const watching = row.transport === "stdio" ? null : { watches, close };
        return await requestCall(client, { name, args, listener, signal }, watching);
      } finally {
        running.delete(listener);
      }
    },
    close,
  };
}

interface CallRequest {
  readonly name: string;
  readonly args: Record<string, unknown>;
  readonly listener: CallListener;
  readonly signal: AbortSignal;
}

interface Watching {
  readonly watches: Set<CallWatch>;
  readonly close: () => Promise<void>;
}

/** Requests a call; with `watching`, it ends when the server is gone. */
async function requestCall(client: Client, call: CallRequest, watching: Watching | null): Promise<JsonObject> {
  const { name, args, listener, signal } = call;
  const gone = new AbortController();
  const watch = watching
    ? watchCall(client, (why) => {
        gone.abort(new McpFailure(why));
        void watching.close();
      })
    : null;
  if (watch) watching?.watches.add(watch);
  try {
    const options = { signal, timeout: CALL_MS, onprogress: listener.onProgress };
    return await client.request({ method: "tools/call", params: { name, arguments: args } }, ResultSchema, options);
  } catch (error) {
    gone.signal.throwIfAborted();
    if (signal.aborted || error instanceof McpNotConnected || error instanceof McpSessionLost) throw error;
    // The error `fetch` throws if the request itself broke off.
    if (error instanceof TypeError) await watching?.close();
    throw new McpFailure(error);
  } finally {
    watch?.stop();
    if (watch) watching?.watches.delete(watch);
  }
}

interface OpenTransport {
  readonly transport: Transport;
  readonly complaints: () => string;
  /** Set once the server has refused the holder's tokens: not every transport propagates the error of a request. */
  readonly refusal: () => McpNotConnected | null;
  /** The server has forgotten the session: only another connection reaches it. */
  readonly isLost: () => boolean;
  readonly release: () => Promise<void>;
}

function openTransport(row: McpServerRow, holder: string | null, listener: AnswerListener): OpenTransport {
  if (row.transport === "stdio") return openProgram(row);
  const { headers, token } = readSecrets(row);
  const guarded = createGuardedFetch({ allowedPrivateHosts: env().allowedPrivateHosts });
  const url = new URL(row.url ?? "");
  const bearer: Record<string, string> = row.auth === "bearer" && token ? { authorization: `Bearer ${token}` } : {};
  let refused: McpNotConnected | null = null;
  let isLost = false;
  const authorized =
    holder === null ? null : authorizedFetch({ database: database(), server: row, holder }, guarded.fetch);
  const inSession = sessionFetch(authorized ?? guarded.fetch, { inAddress: row.transport === "sse" });
  const send: typeof guarded.fetch = async (input, init) => {
    try {
      return await inSession(input, init);
    } catch (error) {
      if (error instanceof McpNotConnected) refused = error;
      if (error instanceof McpSessionLost) isLost = true;
      throw error;
    }
  };
  const options = { fetch: readingFetch(send, listener), requestInit: { headers: { ...headers, ...bearer } } };
  const transport =
    row.transport === "sse" ? new SSEClientTransport(url, options) : new StreamableHTTPClientTransport(url, options);
  return {
    transport,
    complaints: () => "",
    refusal: () => refused,
    isLost: () => isLost,
    release: () => guarded.close(),
  };
}

function openProgram(row: McpServerRow): OpenTransport {
  if (!env().allowStdioMcp) throw new Error(STDIO_IS_OFF);
  const command = resolveCommand(row.command ?? "");
  if (command === null) throw new Error(`The program ${row.command} is not installed on this machine.`);
  const argv = serverCommand({
    argv: [command, ...readArgs(row)],
    isSandboxed: !row.unsandboxed,
    network: row.network,
    mounts: readMounts(row),
  });
  const base = { PATH: SEARCH_PATH, HOME: "/tmp", LANG: "C.UTF-8", TERM: "dumb" };
  const transport = createStdioTransport(argv, { ...base, ...readSecrets(row).env });
  return {
    transport,
    complaints: () => transport.complaints(),
    refusal: () => null,
    isLost: () => false,
    release: async () => undefined,
  };
}

const STDIO_IS_OFF =
  "Programs as MCP servers are off. Whoever runs this installation can allow them with RINGMASTER_ALLOW_STDIO_MCP=1.";

async function listTools(client: Client, signal: AbortSignal | undefined): Promise<Map<string, McpDefinition>> {
  const tools = await readPages(client, {
    method: "tools/list",
    field: "tools",
    read: readTool,
    keyOf: ({ name }) => name,
    timeoutMs: LIST_MS,
    signal,
  });
  return new Map(tools.map(({ name, definition }) => [name, definition]));
}

async function readServerFacts(client: Client, transport: Transport): Promise<McpServerInfo> {
  const { name = "", version = "" } = client.getServerVersion() ?? {};
  const can = client.getServerCapabilities() ?? {};
  const count = (method: "prompts/list" | "resources/list", field: string) =>
    readPages(client, {
      method,
      field,
      read: (_, position) => position,
      keyOf: String,
      timeoutMs: LIST_MS,
      max: MAX_COUNTED,
    })
      .then(({ length }) => length)
      .catch(() => 0);
  const [prompts, resources] = await Promise.all([
    can.prompts ? count("prompts/list", "prompts") : 0,
    can.resources ? count("resources/list", "resources") : 0,
  ]);
  const protocol = "protocolVersion" in transport ? String(transport.protocolVersion ?? "") : "";
  return { name, version, protocol, prompts, resources };
}

import "server-only";
import { Client, type ClientOptions } from "@modelcontextprotocol/sdk/client/index.js";
import { SSEClientTransport } from "@modelcontextprotocol/sdk/client/sse.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import {
  type CallToolResult,
  CallToolResultSchema,
  type ElicitRequestFormParams,
  ElicitRequestSchema,
  type ElicitResult,
  type Tool as ListedTool,
  type Progress,
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
import { resolveCommand, SEARCH_PATH } from "./resolve-command";
import { type McpFacts, type McpServerRow, readArgs, readMounts, readSecrets } from "./server-row";
import { createStdioTransport } from "./stdio-transport";
import { type CallWatch, watchCall } from "./watch-call";

const CONNECT_MS = 20_000;
const LIST_MS = 20_000;
/** Calls end with the tool's time limit or with the run, so this limit is never reached. */
const CALL_MS = 86_400_000;
const MAX_PAGES = 50;

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
  facts(): Promise<McpFacts>;
  listTools(signal?: AbortSignal): Promise<Map<string, McpDefinition>>;
  callTool(
    name: string,
    args: Record<string, unknown>,
    listener: CallListener,
    signal: AbortSignal,
  ): Promise<CallToolResult>;
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
 * people, McpNotConnected if the server refuses the tokens.
 */
export async function connectMcp(row: McpServerRow, holder: string | null = null): Promise<McpConnection> {
  const { transport, complaints, refusal, release } = openTransport(row, holder);
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
  client.onerror = () => {
    for (const watch of watches) void watch.look();
  };
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
    throw refusal() ?? new Error(explainFailure(error, complaints()), { cause: error });
  }
  const close = async () => {
    isClosed = true;
    await client.close().catch(() => undefined);
    await release();
  };
  return {
    client,
    isClosed: () => isClosed,
    takeToolsChanged() {
      const was = toolsChanged;
      toolsChanged = false;
      return was;
    },
    facts: () => readServerFacts(client, transport),
    listTools: (signal) => listTools(client, signal),
    async callTool(name, args, listener, signal) {
      running.add(listener);
      let gone: Error | null = null;
      // When a program exits, its calls end automatically.
      const watched = row.transport !== "stdio";
      const watch = watched
        ? watchCall(client, (why) => {
            gone = new Error(explainFailure(why, ""), { cause: why });
            void close();
          })
        : null;
      if (watch) watches.add(watch);
      try {
        const options = { signal, timeout: CALL_MS, onprogress: listener.onProgress };
        const params = { name, arguments: args };
        return await client.request({ method: "tools/call", params }, CallToolResultSchema, options);
      } catch (error) {
        // The error `fetch` throws if the request itself broke off.
        const isBroken = watched && error instanceof TypeError && !signal.aborted;
        if (gone === null && isBroken) await close();
        throw gone ?? (isBroken ? new Error(explainFailure(error, ""), { cause: error }) : error);
      } finally {
        watch?.stop();
        if (watch) watches.delete(watch);
        running.delete(listener);
      }
    },
    close,
  };
}

interface OpenTransport {
  readonly transport: Transport;
  readonly complaints: () => string;
  /** Set once the server has refused the holder's tokens: not every transport propagates the error of a request. */
  readonly refusal: () => McpNotConnected | null;
  readonly release: () => Promise<void>;
}

function openTransport(row: McpServerRow, holder: string | null): OpenTransport {
  if (row.transport === "stdio") return openProgram(row);
  const { headers, token } = readSecrets(row);
  const guarded = createGuardedFetch({ allowedPrivateHosts: env().allowedPrivateHosts });
  const url = new URL(row.url ?? "");
  const bearer: Record<string, string> = row.auth === "bearer" && token ? { authorization: `Bearer ${token}` } : {};
  let refused: McpNotConnected | null = null;
  const authorized =
    holder === null ? null : authorizedFetch({ database: database(), server: row, holder }, guarded.fetch);
  const send: typeof guarded.fetch = async (input, init) => {
    try {
      return await (authorized ?? guarded.fetch)(input, init);
    } catch (error) {
      if (error instanceof McpNotConnected) refused = error;
      throw error;
    }
  };
  const options = { fetch: send, requestInit: { headers: { ...headers, ...bearer } } };
  const transport =
    row.transport === "sse" ? new SSEClientTransport(url, options) : new StreamableHTTPClientTransport(url, options);
  return { transport, complaints: () => "", refusal: () => refused, release: () => guarded.close() };
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
  return { transport, complaints: () => transport.complaints(), refusal: () => null, release: async () => undefined };
}

const STDIO_IS_OFF =
  "Programs as MCP servers are off. Whoever runs this installation can allow them with RINGMASTER_ALLOW_STDIO_MCP=1.";

async function listTools(client: Client, signal: AbortSignal | undefined): Promise<Map<string, McpDefinition>> {
  const found = new Map<string, McpDefinition>();
  const options = { timeout: LIST_MS, ...(signal ? { signal } : {}) };
  let cursor: string | undefined;
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const { tools, nextCursor } = await client.listTools(cursor === undefined ? {} : { cursor }, options);
    for (const tool of tools) found.set(tool.name, toDefinition(tool));
    if (nextCursor === undefined) return found;
    cursor = nextCursor;
  }
  throw new Error(`The server has more than ${MAX_PAGES} pages of tools.`);
}

function toDefinition({ title, description = "", inputSchema, annotations }: ListedTool): McpDefinition {
  return {
    ...(title === undefined ? {} : { title }),
    description,
    schema: { ...inputSchema },
    ...(annotations === undefined ? {} : { annotations: { ...annotations } }),
  };
}

async function readServerFacts(client: Client, transport: Transport): Promise<McpFacts> {
  const { name = "", version = "" } = client.getServerVersion() ?? {};
  const can = client.getServerCapabilities() ?? {};
  const options = { timeout: LIST_MS };
  const [prompts, resources] = await Promise.all([
    can.prompts ? client.listPrompts({}, options).catch(() => null) : null,
    can.resources ? client.listResources({}, options).catch(() => null) : null,
  ]);
  const protocol = "protocolVersion" in transport ? String(transport.protocolVersion ?? "") : "";
  const counts = { prompts: prompts?.prompts.length ?? 0, resources: resources?.resources.length ?? 0 };
  return { name, version, protocol, ...counts };
}

/** Why the server can't be reached, for people; a program's last output explains more than the fact that it exited. */
function explainFailure(error: unknown, complaints: string): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  const message = cause instanceof Error ? cause.message : String(cause);
  const last = complaints.split("\n").at(-1) ?? "";
  return [message, last].filter((text) => text !== "").join(" ");
}

import "server-only";
import { Client, type ClientOptions } from "@modelcontextprotocol/sdk/client/index.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import {
  type ElicitRequestFormParams,
  ElicitRequestSchema,
  type ElicitResult,
  type Progress,
  ResultSchema,
  ToolListChangedNotificationSchema,
} from "@modelcontextprotocol/sdk/types.js";
import { TimeLimitReached } from "@/lib/agent/tools/time-limit";
import type { McpDefinition } from "@/lib/schema/tools/mcp-server";
import type { Services } from "@/lib/server/platform/services";
import { McpNotConnected } from "./oauth/connection-row";
import { CLIENT_CAPABILITIES, CLIENT_INFO, openTransport } from "./open-transport";
import { McpFailure } from "./reading/failure-message";
import type { JsonObject } from "./reading/read-message";
import { readPages } from "./reading/read-pages";
import { readTool } from "./reading/read-tool";
import { McpSessionLost } from "./reading/session-lost";
import { recordServerInfo } from "./record-definitions";
import { CALL_MARK, ROUND_MARK } from "./revisions/needed-input";
import { isDoubtful, isRefusal, McpRevisionRefused } from "./revisions/revision-refused";
import { connectInRevision, earlierWithin, preferRevision, type RevisionWay } from "./revisions/standing";
import { type McpServerInfo, type McpServerRow, readServerInfo } from "./server-row";
import { type CallWatch, watchCall } from "./watch-call";

const COUNT_MS = 20_000;
/** Calls end with the tool's time limit or with the run, so this limit is never reached. */
const CALL_MS = 86_400_000;
/** Prompts and resources are counted up to this number. */
const MAX_COUNTED = 1_000;

export type ElicitationParams = ElicitRequestFormParams;

/** The listener of a running call. */
export interface CallListener {
  readonly onProgress: (progress: Progress) => void;
  readonly onElicitation: (asked: ElicitationParams) => Promise<ElicitResult>;
  /** Continues a call of another process: what was kept with its last question. */
  readonly continuation?: string | undefined;
}

export interface McpConnection {
  /** Whose OAuth tokens it carries. */
  readonly holder: string | null;
  /** An earlier revision may do what this one does not. */
  readonly canFallBack: boolean;
  /** A call that asks can be continued on another connection. */
  readonly canContinue: boolean;
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
  /** The next connection is made in an earlier revision, if the server speaks one. Returns the error that says so. */
  fallBack(error: unknown): McpRevisionRefused;
  readonly client: Client;
  close(): Promise<void>;
}

/** Replaces the default, which compiles a server's schemas to code; nothing here relies on that validation. */
const ACCEPTS_ALL: NonNullable<ClientOptions["jsonSchemaValidator"]> = {
  getValidator: () => (input) => ({ valid: true, data: input as never, errorMessage: undefined }),
};

/**
 * A connection to the server as configured, in the revision of the protocol that works with it. Elicitation goes to the
 * call it belongs to. `holder`: whose OAuth tokens it carries. Throws an Error whose text is meant for people,
 * McpNotConnected if the server refuses the tokens; its requests throw McpSessionLost and McpRevisionRefused.
 */
export async function connectMcp(
  services: Services,
  row: McpServerRow,
  holder: string | null = null,
): Promise<McpConnection> {
  const connection = await connectInRevision(services, row, (way) => connectOnce(services, row, holder, way));
  const { protocol } = connection;
  const known = readServerInfo(row);
  const isNews = known !== null && protocol !== "" && known.protocol !== protocol;
  try {
    if (isNews) await recordServerInfo(services.database, row, { ...known, protocol });
    return connection;
  } catch (error) {
    await connection.close();
    throw error;
  }
}

/** A connection in one of the earlier revisions alone. */
export function connectInEarlier(
  services: Services,
  row: McpServerRow,
  holder: string | null,
  timeoutMs: number,
): Promise<McpConnection> {
  return connectOnce(services, row, holder, earlierWithin(timeoutMs));
}

type Calls = Map<number, CallListener>;

async function connectOnce(
  services: Services,
  row: McpServerRow,
  holder: string | null,
  way: RevisionWay,
): Promise<McpConnection & { readonly protocol: string }> {
  const watches = new Set<CallWatch>();
  const look = () => Promise.all([...watches].map((watch) => watch.look()));
  const { transport, complaints, refusal, isLost, release } = openTransport(services, row, {
    holder,
    way,
    onBroken: look,
  });
  const running: Calls = new Map();
  let calls = 0;
  let isClosed = false;
  let toolsChanged = false;
  const client = createClient(running);
  client.onerror = () => void look();
  client.onclose = () => {
    isClosed = true;
    void release();
  };
  client.setNotificationHandler(ToolListChangedNotificationSchema, () => {
    toolsChanged = true;
  });
  const close = async () => {
    isClosed = true;
    await client.close().catch(() => undefined);
    await release();
  };
  try {
    await client.connect(transport, { timeout: way.timeoutMs });
  } catch (error) {
    await close();
    throw refusal() ?? new McpFailure(error, complaints());
  }
  const fallBack = (error: unknown) => {
    isClosed = true;
    preferRevision(services, row, { revision: "earlier", isOnly: false });
    return new McpRevisionRefused(error);
  };
  return {
    client,
    holder,
    canFallBack: way.canFallBack,
    canContinue: way.revision === "current",
    protocol: protocolOf(transport),
    isClosed: () => isClosed || isLost(),
    takeToolsChanged() {
      const was = toolsChanged;
      toolsChanged = false;
      return was;
    },
    facts: () => askServerInfo(client, transport),
    async listTools(signal) {
      const tools = await listTools(client, way.listMs, signal).catch((error: unknown) => {
        throw way.canFallBack && !signal?.aborted && mayBeRevision(error) ? fallBack(error) : error;
      });
      if (way.canFallBack && tools.size === 0) throw fallBack(new Error(NO_TOOLS));
      return tools;
    },
    async callTool(name, args, listener, signal) {
      calls += 1;
      const mark = calls;
      running.set(mark, listener);
      try {
        // When a program exits, its calls end automatically.
        const watching = row.transport === "stdio" ? null : { watches, close };
        const params = {
          name,
          arguments: args,
          ...(way.revision === "current" ? { _meta: { [CALL_MARK]: mark, [ROUND_MARK]: listener.continuation } } : {}),
        };
        return await requestCall(client, { params, listener, signal }, watching);
      } catch (error) {
        throw way.canFallBack ? failureOf(error, signal, fallBack) : error;
      } finally {
        running.delete(mark);
      }
    },
    fallBack,
    close,
  };
}

function createClient(running: Calls): Client {
  const client = new Client(CLIENT_INFO, { capabilities: CLIENT_CAPABILITIES, jsonSchemaValidator: ACCEPTS_ALL });
  client.setRequestHandler(ElicitRequestSchema, async ({ params }) => {
    const marked = running.get(Number(params._meta?.[CALL_MARK]));
    const [only, ...others] = running.values();
    // Servers of the earlier revisions do not say to which of several calls a question belongs.
    const listener = marked ?? (others.length === 0 ? only : undefined);
    if (!listener || !("requestedSchema" in params)) return { action: "decline" };
    return listener.onElicitation(params);
  });
  return client;
}

/** Why a call failed that an earlier revision could make. If it may have run, only the next one goes out in that. */
function failureOf(error: unknown, signal: AbortSignal, fallBack: McpConnection["fallBack"]): unknown {
  const cause = error instanceof McpFailure ? error.cause : error;
  if (isRefusal(cause)) return fallBack(cause);
  if (isDoubtful(cause) || signal.reason instanceof TimeLimitReached) fallBack(cause);
  return error;
}

const NO_TOOLS = "The server has no tools in this revision of the protocol.";

/** Whether a list may be asked for again in an earlier revision. */
function mayBeRevision(error: unknown): boolean {
  if (error instanceof McpNotConnected || error instanceof McpSessionLost) return false;
  return isRefusal(error) || isDoubtful(error) || (error instanceof Error && error.name === "McpError");
}

interface CallRequest {
  readonly params: JsonObject;
  readonly listener: CallListener;
  readonly signal: AbortSignal;
}

interface Watching {
  readonly watches: Set<CallWatch>;
  readonly close: () => Promise<void>;
}

/** Requests a call; with `watching`, it ends when the server is gone. */
async function requestCall(client: Client, call: CallRequest, watching: Watching | null): Promise<JsonObject> {
  const { params, listener, signal } = call;
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
    return await client.request({ method: "tools/call", params }, ResultSchema, options);
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

async function listTools(
  client: Client,
  timeoutMs: number,
  signal: AbortSignal | undefined,
): Promise<Map<string, McpDefinition>> {
  const tools = await readPages(client, {
    method: "tools/list",
    field: "tools",
    read: readTool,
    keyOf: ({ name }) => name,
    timeoutMs,
    signal,
  });
  return new Map(tools.map(({ name, definition }) => [name, definition]));
}

function protocolOf(transport: Transport): string {
  return "protocolVersion" in transport ? String(transport.protocolVersion ?? "") : "";
}

async function askServerInfo(client: Client, transport: Transport): Promise<McpServerInfo> {
  const { name = "", version = "" } = client.getServerVersion() ?? {};
  const can = client.getServerCapabilities() ?? {};
  const count = (method: "prompts/list" | "resources/list", field: string) =>
    readPages(client, {
      method,
      field,
      read: (_, position) => position,
      keyOf: String,
      timeoutMs: COUNT_MS,
      max: MAX_COUNTED,
    })
      .then(({ length }) => length)
      .catch(() => 0);
  const [prompts, resources] = await Promise.all([
    can.prompts ? count("prompts/list", "prompts") : 0,
    can.resources ? count("resources/list", "resources") : 0,
  ]);
  return { name, version, protocol: protocolOf(transport), prompts, resources };
}

import "server-only";
import { SSEClientTransport } from "@modelcontextprotocol/sdk/client/sse.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import type { JSONRPCMessage } from "@modelcontextprotocol/sdk/types.js";
import { env } from "@/lib/server/platform/env";
import { createGuardedFetch } from "@/lib/server/platform/guarded-fetch";
import type { Services } from "@/lib/server/platform/services";
import { VERSION } from "@/lib/server/platform/version";
import { serverCommand } from "@/lib/workspaces/sandbox/server-sandbox";
import { authorizedFetch } from "./oauth/authorized-fetch";
import { McpNotConnected } from "./oauth/connection-row";
import type { JsonObject } from "./reading/read-message";
import { readingFetch } from "./reading/reading-fetch";
import { McpSessionLost, sessionFetch } from "./reading/session-lost";
import { resolveCommand, SEARCH_PATH } from "./resolve-command";
import { createArgumentHeaders } from "./revisions/argument-headers";
import { currentFetch } from "./revisions/current-fetch";
import { CURRENT_REVISION, currentTransport } from "./revisions/current-transport";
import type { RevisionWay } from "./revisions/standing";
import type { CurrentWire } from "./revisions/wire-requests";
import { type McpServerRow, readArgs, readMounts, readSecrets } from "./server-row";
import { createStdioTransport } from "./stdio-transport";

/** What this client says of itself. */
export const CLIENT_INFO = { name: "ringmaster", version: VERSION };
/** What it can do for a server. It offers no sampling, so the protocol refuses requests for it. */
export const CLIENT_CAPABILITIES = { elicitation: { form: {} } };

export interface OpenTransport {
  readonly transport: Transport;
  readonly complaints: () => string;
  /** Set once the server has refused the holder's tokens: not every transport propagates the error of a request. */
  readonly refusal: () => McpNotConnected | null;
  /** The server has forgotten the session: only another connection reaches it. */
  readonly isLost: () => boolean;
  readonly release: () => Promise<void>;
}

interface Opening {
  /** Whose OAuth tokens are sent. */
  readonly holder: string | null;
  readonly way: RevisionWay;
  /** The stream of a request broke off: its answer may follow once this has resolved. */
  readonly onBroken: () => Promise<unknown>;
}

/** The transport to a server as configured, in the revision chosen. */
export function openTransport(services: Services, row: McpServerRow, opening: Opening): OpenTransport {
  return row.transport === "stdio" ? openProgram(row, opening) : openAddress(services, row, opening);
}

function openAddress(services: Services, row: McpServerRow, { holder, way, onBroken }: Opening): OpenTransport {
  const { headers, token } = readSecrets(row);
  const guarded = createGuardedFetch({ allowedPrivateHosts: env().allowedPrivateHosts });
  const url = new URL(row.url ?? "");
  const bearer: Record<string, string> = row.auth === "bearer" && token ? { authorization: `Bearer ${token}` } : {};
  let refused: McpNotConnected | null = null;
  let isLost = false;
  const authorized = holder === null ? null : authorizedFetch({ services, server: row, holder }, guarded.fetch);
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
  const isCurrent = way.revision === "current";
  const argumentHeaders = createArgumentHeaders();
  const current = currentFetch(send, CURRENT_REVISION, argumentHeaders);
  const answer = (message: JsonObject) => wire.onmessage?.(message as unknown as JSONRPCMessage);
  const read = readingFetch(isCurrent ? current.fetch : send, {
    // If the server is gone, its calls end with that.
    onBroken: (message) => void onBroken().then(() => answer(message)),
    onUnanswerable: answer,
    isResumable: !isCurrent,
  });
  const options = { fetch: read, requestInit: { headers: { ...headers, ...bearer } } };
  const wire =
    row.transport === "sse" ? new SSEClientTransport(url, options) : new StreamableHTTPClientTransport(url, options);
  return {
    transport: isCurrent
      ? speakCurrent({ transport: wire, cancel: current.cancel, ended: current.ended }, way, argumentHeaders)
      : wire,
    complaints: () => "",
    refusal: () => refused,
    isLost: () => isLost,
    release: () => guarded.close(),
  };
}

function openProgram(row: McpServerRow, { way }: Opening): OpenTransport {
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
  const program = createStdioTransport(argv, { ...base, ...readSecrets(row).env });
  const cancel = (requestId: string | number) => {
    const cancellation = { jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId } } as const;
    program.send(cancellation).catch(() => undefined);
  };
  return {
    transport:
      way.revision === "current" ? speakCurrent({ transport: program, cancel, ended: () => undefined }, way) : program,
    complaints: () => program.complaints(),
    refusal: () => null,
    isLost: () => false,
    release: async () => undefined,
  };
}

function speakCurrent(wire: CurrentWire, { timeoutMs }: RevisionWay, argumentHeaders = createArgumentHeaders()) {
  const own = { ...CLIENT_INFO, capabilities: CLIENT_CAPABILITIES, discoverMs: timeoutMs };
  return currentTransport(wire, { ...own, argumentHeaders });
}

const STDIO_IS_OFF =
  "Programs as MCP servers are off. Whoever runs this installation can allow them with RINGMASTER_ALLOW_STDIO_MCP=1.";

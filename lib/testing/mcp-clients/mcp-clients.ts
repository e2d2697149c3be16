import * as current from "@modelcontextprotocol/client";
import { Client as EarlierClient } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport as EarlierTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { ElicitRequestSchema } from "@modelcontextprotocol/sdk/types.js";

/** What the client's person is asked, and their reply. */
export type AnswerElicitation = (asked: { message: string; requestedSchema: object }) => ElicitationReply;
type ElicitationReply = {
  action: "accept" | "decline" | "cancel";
  content?: Record<string, string | number | boolean | string[]>;
};

interface McpCallOptions {
  readonly signal?: AbortSignal;
  readonly onProgress?: (message: string) => void;
}

/** A client of either generation, with what the tests need of both. */
export interface McpTestClient {
  readonly protocol: string | undefined;
  tools(): Promise<readonly { readonly name: string; readonly description?: string; readonly inputSchema: object }[]>;
  call(name: string, args: Record<string, unknown>, options?: McpCallOptions): Promise<McpTestResult>;
  close(): Promise<void>;
}

interface McpTestResult {
  readonly text: string;
  readonly isError: boolean;
  readonly meta: Record<string, unknown>;
}

interface ConnectOptions {
  readonly url: string;
  readonly key: string;
  /** Without it, the client has no elicitation. */
  readonly answer?: AnswerElicitation;
  readonly fetch?: (url: string | URL, init?: RequestInit) => Promise<Response>;
}

type Connect = (options: ConnectOptions) => Promise<McpTestClient>;

const INFO = { name: "test", version: "1" };
const requestInit = (key: string) => ({ headers: { authorization: `Bearer ${key}` } });

/** The official client packages by the revision that they speak. */
export const MCP_CLIENTS: readonly (readonly [revision: string, connect: Connect])[] = [
  ["2025-11-25", connectEarlier],
  ["2026-07-28", connectCurrent],
];

async function connectEarlier({ url, key, answer, fetch }: ConnectOptions): Promise<McpTestClient> {
  const client = new EarlierClient(INFO, { capabilities: answer ? { elicitation: {} } : {} });
  if (answer) {
    client.setRequestHandler(ElicitRequestSchema, async ({ params }) => {
      if (!("requestedSchema" in params)) return { action: "decline" };
      return answer(params);
    });
  }
  const transport = new EarlierTransport(new URL(url), { requestInit: requestInit(key), fetch });
  await client.connect(transport);
  return {
    protocol: transport.protocolVersion,
    tools: async () => (await client.listTools()).tools,
    call: async (name, args, { signal, onProgress } = {}) => {
      const onprogress = onProgress && (({ message = "" }: { message?: string }) => onProgress(message));
      return toResult(await client.callTool({ name, arguments: args }, undefined, { signal, onprogress }));
    },
    close: () => client.close(),
  };
}

async function connectCurrent({ url, key, answer, fetch }: ConnectOptions): Promise<McpTestClient> {
  const client = new current.Client(INFO, {
    capabilities: answer ? { elicitation: { form: {} } } : {},
    versionNegotiation: { mode: { pin: "2026-07-28" } },
  });
  if (answer) {
    client.setRequestHandler("elicitation/create", async ({ params }) => {
      if (!("requestedSchema" in params)) return { action: "decline" };
      return answer(params);
    });
  }
  await client.connect(
    new current.StreamableHTTPClientTransport(new URL(url), { requestInit: requestInit(key), fetch }),
  );
  return {
    protocol: client.getNegotiatedProtocolVersion(),
    tools: async () => (await client.listTools()).tools,
    call: async (name, args, { signal, onProgress } = {}) => {
      const onprogress = onProgress && (({ message = "" }: { message?: string }) => onProgress(message));
      return toResult(await client.callTool({ name, arguments: args }, { signal, onprogress }));
    },
    close: () => client.close(),
  };
}

function toResult(result: Record<string, unknown>): McpTestResult {
  const content = Array.isArray(result.content) ? result.content : [];
  const text = content.map((part: { text?: string }) => part.text ?? "").join("");
  return { text, isError: result.isError === true, meta: { ...(result._meta as object) } };
}

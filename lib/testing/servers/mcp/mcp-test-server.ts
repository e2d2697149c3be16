import { randomUUID } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { Server } from "@modelcontextprotocol/sdk/server/index.js";
import { SSEServerTransport } from "@modelcontextprotocol/sdk/server/sse.js";
import { StreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/streamableHttp.js";
import {
  CallToolRequestSchema,
  type CallToolResult,
  type ElicitRequestFormParams,
  type ElicitResult,
  GetPromptRequestSchema,
  isInitializeRequest,
  ListPromptsRequestSchema,
  ListResourcesRequestSchema,
  ListResourceTemplatesRequestSchema,
  ListToolsRequestSchema,
  ReadResourceRequestSchema,
  type Tool,
} from "@modelcontextprotocol/sdk/types.js";
import { createMcpTestAuthority, type McpTestAuthority } from "./mcp-test-authority";

/** The helpers available to a tool's code. */
interface McpTestCall {
  readonly args: Record<string, unknown>;
  ask(form: Omit<ElicitRequestFormParams, "mode">): Promise<ElicitResult>;
  progress(progress: number, total: number, message: string): Promise<void>;
  /** Requests sampling from the client and returns its response. */
  sample(): Promise<string>;
}

export interface McpTestTool extends Omit<Tool, "inputSchema"> {
  readonly inputSchema?: Tool["inputSchema"];
  run?(call: McpTestCall): Promise<string | CallToolResult> | string | CallToolResult;
}

/** Text, or with `blob` base64 of binary data. */
interface McpTestResource {
  readonly name: string;
  readonly text?: string;
  readonly blob?: string;
  readonly mimeType?: string;
}

/** An MCP server whose tools a test can change while it runs. */
export interface McpTestServer {
  readonly url: string;
  readonly sseUrl: string;
  readonly host: string;
  /** The tools, in listing order. */
  readonly tools: Map<string, McpTestTool>;
  /** By address. */
  readonly resources: Map<string, McpTestResource>;
  /** The method of every request, in order, and the headers of the last one. */
  readonly methods: string[];
  headers(): IncomingMessage["headers"];
  /** Requires OAuth from now on: requests without a token of this authority are rejected. */
  requireSignIn(): McpTestAuthority;
  /** Removes that requirement. */
  requireNothing(): void;
  set(...tools: McpTestTool[]): void;
  /** Makes the server unreachable; `open` restores it at the same address. */
  close(): Promise<void>;
  open(): Promise<void>;
}

export async function startMcpTestServer(...initial: McpTestTool[]): Promise<McpTestServer> {
  const tools = new Map<string, McpTestTool>();
  const resources = new Map<string, McpTestResource>();
  const methods: string[] = [];
  let headers: IncomingMessage["headers"] = {};
  const sessions = testSessions(tools, resources);
  let authority: McpTestAuthority | null = null;
  const http = createServer(async (request, response) => {
    if (authority?.answers(request.url ?? "")) return authority.handle(request, response);
    headers = request.headers;
    if (authority && !authority.admits(request)) return authority.refuse(response);
    if (request.url === "/sse") return sessions.openStream(response);
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const body = chunks.length === 0 ? undefined : JSON.parse(Buffer.concat(chunks).toString());
    if (body?.method) methods.push(body.method);
    await sessions.answer(request, response, body);
  });
  let port = 0;
  const open = () =>
    new Promise<void>((resolve) => {
      http.listen(port, "127.0.0.1", () => {
        port = (http.address() as AddressInfo).port;
        resolve();
      });
    });
  const set = (...changed: McpTestTool[]) => {
    for (const tool of changed) tools.set(tool.name, tool);
  };
  await open();
  set(...initial);
  return {
    url: `http://127.0.0.1:${port}/mcp`,
    sseUrl: `http://127.0.0.1:${port}/sse`,
    host: `127.0.0.1:${port}`,
    tools,
    resources,
    methods,
    headers: () => headers,
    requireSignIn() {
      authority = createMcpTestAuthority(`http://127.0.0.1:${port}`);
      return authority;
    },
    requireNothing() {
      authority = null;
    },
    set,
    open,
    async close() {
      sessions.forget();
      http.closeAllConnections();
      await new Promise<void>((resolve) => {
        http.close(() => resolve());
      });
    },
  };
}

/** The sessions of both transports; each has its own protocol server over the same tools. */
type Tools = ReadonlyMap<string, McpTestTool>;
type Resources = ReadonlyMap<string, McpTestResource>;

function testSessions(tools: Tools, resources: Resources) {
  const sessions = new Map<string, StreamableHTTPServerTransport>();
  const streams = new Map<string, SSEServerTransport>();
  const newSession = async () => {
    const transport = new StreamableHTTPServerTransport({
      sessionIdGenerator: () => randomUUID(),
      onsessioninitialized: (id) => void sessions.set(id, transport),
    });
    await protocolServer(tools, resources).connect(transport);
    return transport;
  };
  return {
    forget: () => sessions.clear(),
    async openStream(response: ServerResponse): Promise<void> {
      const transport = new SSEServerTransport("/messages", response);
      streams.set(transport.sessionId, transport);
      await protocolServer(tools, resources).connect(transport);
    },
    async answer(request: IncomingMessage, response: ServerResponse, body: unknown): Promise<void> {
      const { pathname, searchParams } = new URL(request.url ?? "/", "http://localhost");
      const stream = streams.get(searchParams.get("sessionId") ?? "");
      if (pathname === "/messages" && stream) return stream.handlePostMessage(request, response, body);
      const known = sessions.get(String(request.headers["mcp-session-id"] ?? ""));
      const transport = known ?? (isInitializeRequest(body) ? await newSession() : null);
      if (transport) await transport.handleRequest(request, response, body);
      else response.writeHead(404).end();
    },
  };
}

function protocolServer(tools: Tools, resources: Resources): Server {
  const capabilities = { tools: {}, prompts: {}, resources: {} };
  const server = new Server({ name: "changing", version: "1.0.0" }, { capabilities });
  server.setRequestHandler(ListResourcesRequestSchema, () => ({
    resources: [...resources].map(([uri, { name, mimeType }]) => ({ uri, name, ...(mimeType ? { mimeType } : {}) })),
  }));
  server.setRequestHandler(ListResourceTemplatesRequestSchema, () => ({
    resourceTemplates: [{ uriTemplate: "note://{name}", name: "A note", description: "By its name" }],
  }));
  server.setRequestHandler(ReadResourceRequestSchema, ({ params: { uri } }) => {
    const { text, blob = "", mimeType } = resources.get(uri) ?? { text: "not listed" };
    return { contents: [{ uri, ...(mimeType ? { mimeType } : {}), ...(text === undefined ? { blob } : { text }) }] };
  });
  server.setRequestHandler(ListPromptsRequestSchema, () => ({
    prompts: [{ name: "review", description: "Review a text", arguments: [{ name: "text", required: true }] }],
  }));
  server.setRequestHandler(GetPromptRequestSchema, ({ params }) => ({
    messages: [{ role: "user", content: { type: "text", text: `Review this: ${params.arguments?.text ?? ""}` } }],
  }));
  server.setRequestHandler(ListToolsRequestSchema, () => ({
    tools: [...tools.values()].map(({ run: _, inputSchema = { type: "object" }, ...tool }) => ({
      ...tool,
      inputSchema,
    })),
  }));
  server.setRequestHandler(CallToolRequestSchema, async ({ params }, extra) => {
    const related = { relatedRequestId: extra.requestId };
    const result = await tools.get(params.name)?.run?.({
      args: params.arguments ?? {},
      ask: (form) => server.elicitInput(form, related),
      async progress(progress, total, message) {
        const { progressToken = "" } = params._meta ?? {};
        const method = "notifications/progress";
        await extra.sendNotification({ method, params: { progressToken, progress, total, message } });
      },
      sample: () =>
        server.createMessage({ messages: [], maxTokens: 1 }, related).then(
          () => "sampled",
          (error: Error) => error.message,
        ),
    });
    return typeof result === "object" ? result : { content: [{ type: "text", text: result ?? "ok" }] };
  });
  return server;
}

import { McpBody, McpMessage } from "@/lib/schema/apis/mcp";
import { mcpError } from "@/lib/server/apis/mcp/mcp-error";
import { serveMcp } from "@/lib/server/apis/mcp/serve-mcp";
import { defineRoute } from "@/lib/server/wiring/route";

export const POST = defineRoute(
  {
    access: "read",
    readByPost: true,
    body: McpBody,
    bodyDocument: McpMessage,
    errors: mcpError,
    reply: McpMessage,
    produces: "text/event-stream",
    summary: "Use the agents, and what they did, as tools of an MCP client",
  },
  ({ services, request, body, viewer, signal }) => serveMcp(services, { request, body, viewer, signal }),
);

import { CreateMcpServerBody, McpServer, McpServerList } from "@/lib/schema/tools/mcp-server";
import { json } from "@/lib/server/http/reply";
import { createMcpServer, listMcpServers } from "@/lib/server/tools/mcp/manage-servers";
import { defineRoute } from "@/lib/server/wiring/route";

export const GET = defineRoute(
  { access: "admin", reply: McpServerList, summary: "The MCP servers that agents may name in mcp_servers" },
  async ({ services, viewer }) => json(await listMcpServers(services.database, viewer), { schema: McpServerList }),
);

export const POST = defineRoute(
  {
    access: "admin",
    body: CreateMcpServerBody,
    reply: McpServer,
    status: 201,
    summary: "Add an MCP server and ask it for its tools, none of which is offered before it is accepted",
  },
  async ({ services, body, viewer }) =>
    json(await createMcpServer(services, body, viewer), { status: 201, schema: McpServer }),
);

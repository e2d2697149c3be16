import { CreateMcpServerBody, McpServer, McpServerList } from "@/lib/schema/tools/mcp-server";
import { json } from "@/lib/server/http/reply";
import { processServices } from "@/lib/server/platform/services";
import { createMcpServer, listMcpServers } from "@/lib/server/tools/mcp/manage-servers";
import { defineRoute } from "@/lib/server/wiring/route";

export const GET = defineRoute(
  { access: "admin", reply: McpServerList, summary: "The MCP servers that agents may name in mcp_servers" },
  async ({ viewer }) => json(await listMcpServers(processServices(), viewer), { schema: McpServerList }),
);

export const POST = defineRoute(
  {
    access: "admin",
    body: CreateMcpServerBody,
    reply: McpServer,
    status: 201,
    summary: "Add an MCP server and ask it for its tools, none of which is offered before it is accepted",
  },
  async ({ body, viewer }) =>
    json(await createMcpServer(processServices(), body, viewer), { status: 201, schema: McpServer }),
);

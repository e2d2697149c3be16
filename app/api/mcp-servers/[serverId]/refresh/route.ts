import { z } from "zod";
import { RowId } from "@/lib/schema/page-query";
import { McpToolList } from "@/lib/schema/tools/mcp-server";
import { json } from "@/lib/server/http/reply";
import { refreshMcpTools } from "@/lib/server/tools/mcp/manage-tools";
import { defineRoute } from "@/lib/server/wiring/route";

export const POST = defineRoute(
  {
    access: "admin",
    params: z.object({ serverId: RowId }),
    reply: McpToolList,
    summary: "Ask an MCP server for its tools again; 503 when it does not answer",
  },
  async ({ services, params: { serverId }, viewer }) =>
    json(await refreshMcpTools(services, serverId, viewer), { schema: McpToolList }),
);

import { z } from "zod";
import { RowId } from "@/lib/schema/page-query";
import { McpToolList } from "@/lib/schema/tools/mcp-server";
import { json } from "@/lib/server/http/reply";
import { listMcpTools } from "@/lib/server/tools/mcp/manage-tools";
import { defineRoute } from "@/lib/server/wiring/route";

export const GET = defineRoute(
  {
    access: "admin",
    params: z.object({ serverId: RowId }),
    reply: McpToolList,
    summary: "The tools of an MCP server: what it says of each, what was accepted, and what waits for a person",
  },
  async ({ services, params: { serverId }, viewer }) =>
    json(await listMcpTools(services, serverId, viewer), { schema: McpToolList }),
);

import { z } from "zod";
import { RowId } from "@/lib/schema/page-query";
import { McpHolderList } from "@/lib/schema/tools/mcp-connection";
import { json } from "@/lib/server/http/reply";
import { listHolders } from "@/lib/server/tools/mcp/oauth/manage-connections";
import { defineRoute } from "@/lib/server/wiring/route";

export const GET = defineRoute(
  {
    access: "admin",
    params: z.object({ serverId: RowId }),
    reply: McpHolderList,
    summary: "Who is connected to an MCP server with OAuth, and as whom",
  },
  async ({ services, params: { serverId } }) =>
    json(await listHolders(services.database, serverId), { schema: McpHolderList }),
);

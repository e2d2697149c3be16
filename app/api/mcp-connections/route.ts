import { McpConnectionList } from "@/lib/schema/tools/mcp-connection";
import { json } from "@/lib/server/http/reply";
import { listOwnConnections } from "@/lib/server/tools/mcp/oauth/manage-connections";
import { defineRoute } from "@/lib/server/wiring/route";

export const GET = defineRoute(
  {
    access: "read",
    reply: McpConnectionList,
    summary: "The MCP servers to which each person connects with an own account, and whether the caller has",
  },
  async ({ services, viewer }) =>
    json(await listOwnConnections(services.database, viewer), { schema: McpConnectionList }),
);

import { z } from "zod";
import { RowId } from "@/lib/schema/page-query";
import { AcceptMcpToolsBody, McpToolList } from "@/lib/schema/tools/mcp-server";
import { json } from "@/lib/server/http/reply";
import { acceptMcpTools } from "@/lib/server/tools/mcp/manage-tools";
import { defineRoute } from "@/lib/server/wiring/route";

export const POST = defineRoute(
  {
    access: "admin",
    params: z.object({ serverId: RowId }),
    body: AcceptMcpToolsBody,
    reply: McpToolList,
    summary: "Accept definitions by the hash shown; when one has changed since, 409 and none is accepted",
  },
  async ({ services, params: { serverId }, body, viewer }) =>
    json(await acceptMcpTools(services.database, serverId, body, viewer), { schema: McpToolList }),
);

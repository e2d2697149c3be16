import { z } from "zod";
import { RowId } from "@/lib/schema/page-query";
import { McpToolList, UpdateMcpToolBody } from "@/lib/schema/tools/mcp-server";
import { json } from "@/lib/server/http/reply";
import { updateMcpTool } from "@/lib/server/tools/mcp/manage-tools";
import { defineRoute } from "@/lib/server/wiring/route";

export const PATCH = defineRoute(
  {
    access: "admin",
    params: z.object({ serverId: RowId, name: RowId }),
    body: UpdateMcpToolBody,
    reply: McpToolList,
    summary: "What happens when an agent calls the tool: allow, ask or deny; null for what its annotations say",
  },
  async ({ services, params: place, body, viewer }) =>
    json(await updateMcpTool(services.database, place, body.onCall, viewer), { schema: McpToolList }),
);

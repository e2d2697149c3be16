import { z } from "zod";
import { RowId } from "@/lib/schema/page-query";
import { noContent } from "@/lib/server/http/reply";
import { endHoldersConnection } from "@/lib/server/tools/mcp/oauth/manage-connections";
import { defineRoute } from "@/lib/server/wiring/route";

export const DELETE = defineRoute(
  {
    access: "admin",
    params: z.object({ serverId: RowId, userId: RowId }),
    status: 204,
    summary: "End another person's connection to an MCP server; its sign-in is asked to revoke the tokens",
  },
  async ({ services, params: { serverId, userId }, viewer }) => {
    await endHoldersConnection(services, serverId, userId, viewer);
    return noContent();
  },
);

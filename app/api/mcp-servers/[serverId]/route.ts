import { z } from "zod";
import { RowId } from "@/lib/schema/page-query";
import { McpServer, UpdateMcpServerBody } from "@/lib/schema/tools/mcp-server";
import { json, noContent } from "@/lib/server/http/reply";
import { deleteMcpServer, getMcpServer, updateMcpServer } from "@/lib/server/tools/mcp/manage-servers";
import { defineRoute } from "@/lib/server/wiring/route";

const params = z.object({ serverId: RowId });

export const GET = defineRoute(
  { access: "admin", params, reply: McpServer, summary: "One MCP server; its secrets are only said to be set" },
  async ({ services, params: { serverId }, viewer }) =>
    json(await getMcpServer(services.database, serverId, viewer), { schema: McpServer }),
);

export const PATCH = defineRoute(
  {
    access: "admin",
    params,
    body: UpdateMcpServerBody,
    reply: McpServer,
    summary: "Change an MCP server; with revision, one that has changed since is 409",
  },
  async ({ services, params: { serverId }, body, viewer }) =>
    json(await updateMcpServer(services, serverId, body, viewer), { schema: McpServer }),
);

export const DELETE = defineRoute(
  { access: "admin", params, status: 204, summary: "Delete an MCP server: agents that name it lack its tools" },
  async ({ services, params: { serverId }, viewer }) => {
    await deleteMcpServer(services, serverId, viewer);
    return noContent();
  },
);

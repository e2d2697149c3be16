import { z } from "zod";
import { RowId } from "@/lib/schema/page-query";
import { ConnectMcpServerBody, ConnectMcpServerReply } from "@/lib/schema/tools/mcp-connection";
import { json, noContent } from "@/lib/server/http/reply";
import { startConnecting } from "@/lib/server/tools/mcp/oauth/connect-server";
import { disconnect } from "@/lib/server/tools/mcp/oauth/manage-connections";
import { credentialMark } from "@/lib/server/users/credential-mark";
import { defineRoute } from "@/lib/server/wiring/route";

const params = z.object({ serverId: RowId });

export const POST = defineRoute(
  {
    access: "chat",
    params,
    body: ConnectMcpServerBody,
    reply: ConnectMcpServerReply,
    summary: "Begin to connect to an MCP server with OAuth: where the browser goes, within 10 minutes and once",
  },
  async ({ services, params: { serverId }, body, viewer, request }) => {
    const url = await startConnecting(services.database, serverId, body, {
      viewer,
      session: credentialMark(request.headers),
    });
    return json({ url }, { schema: ConnectMcpServerReply });
  },
);

export const DELETE = defineRoute(
  {
    access: "chat",
    params,
    status: 204,
    summary: "Forget the caller's connection to an MCP server, or the shared one",
  },
  async ({ services, params: { serverId }, viewer }) => {
    await disconnect(services, serverId, viewer);
    return noContent();
  },
);

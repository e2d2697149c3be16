import { McpCallbackQuery } from "@/lib/schema/tools/mcp-connection";
import { finishConnecting } from "@/lib/server/tools/mcp/oauth/connect-server";
import { credentialMark } from "@/lib/server/users/credential-mark";
import { defineRoute } from "@/lib/server/wiring/route";

export const GET = defineRoute(
  {
    access: "chat",
    query: McpCallbackQuery,
    produces: "text/html",
    summary:
      "Where the sign-in of an MCP server sends the browser back to; it goes on to a page that says how it ended",
  },
  async ({ services, query, viewer, request }) => {
    const location = await finishConnecting(services, query, {
      viewer,
      session: credentialMark(request.headers),
    });
    return new Response(null, { status: 303, headers: { location } });
  },
);

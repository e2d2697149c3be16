import { z } from "zod";
import { AgentId } from "@/lib/schema/agents/agent-id";
import { McpResourceBody, McpResourceList, McpText } from "@/lib/schema/tools/mcp-composer";
import { json } from "@/lib/server/http/reply";
import { listMcpResources, readMcpResource } from "@/lib/server/tools/mcp/composer/resources";
import { defineRoute } from "@/lib/server/wiring/route";

const params = z.object({ agentId: AgentId });

export const GET = defineRoute(
  {
    access: "chat",
    params,
    reply: McpResourceList,
    summary: "Resources and templates that the agent's MCP servers list now, and the servers that did not answer",
  },
  async ({ services, params: { agentId }, viewer }) =>
    json(await listMcpResources(services, agentId, viewer), { schema: McpResourceList }),
);

export const POST = defineRoute(
  {
    access: "chat",
    params,
    body: McpResourceBody,
    reply: McpText,
    summary:
      "One listed resource, or a template filled in, as a marked block for a message; binary content is refused, 503 when its server is away",
  },
  async ({ services, params: { agentId }, viewer, body }) =>
    json({ text: await readMcpResource(services, agentId, viewer, body) }, { schema: McpText }),
);

import { z } from "zod";
import { AgentId } from "@/lib/schema/agents/agent-id";
import { McpPromptBody, McpPromptList, McpText } from "@/lib/schema/tools/mcp-composer";
import { json } from "@/lib/server/http/reply";
import { listMcpPrompts, writeMcpPrompt } from "@/lib/server/tools/mcp/composer/prompts";
import { defineRoute } from "@/lib/server/wiring/route";

const params = z.object({ agentId: AgentId });

export const GET = defineRoute(
  {
    access: "chat",
    params,
    reply: McpPromptList,
    summary: "Prompts that the agent's MCP servers offer now, and the servers that did not answer",
  },
  async ({ services, params: { agentId }, viewer }) =>
    json(await listMcpPrompts(services, agentId, viewer), { schema: McpPromptList }),
);

export const POST = defineRoute(
  {
    access: "chat",
    params,
    body: McpPromptBody,
    reply: McpText,
    summary: "One prompt with its arguments, as text for a message; 503 when its server does not answer",
  },
  async ({ services, params: { agentId }, viewer, body }) =>
    json({ text: await writeMcpPrompt(services, agentId, viewer, body) }, { schema: McpText }),
);

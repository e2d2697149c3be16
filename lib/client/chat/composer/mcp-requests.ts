import { callJson } from "@/lib/client/http/api";
import {
  type McpPromptBody,
  McpPromptList,
  type McpResourceBody,
  McpResourceList,
  McpText,
} from "@/lib/schema/tools/mcp-composer";

const agentPath = (agentId: string) => `/api/agents/${encodeURIComponent(agentId)}`;

export function listPrompts(agentId: string, signal: AbortSignal): Promise<McpPromptList> {
  return callJson(McpPromptList, `${agentPath(agentId)}/mcp-prompts`, { signal });
}

export function listResources(agentId: string, signal: AbortSignal): Promise<McpResourceList> {
  return callJson(McpResourceList, `${agentPath(agentId)}/mcp-resources`, { signal });
}

export function writePrompt(agentId: string, body: McpPromptBody) {
  return callJson(McpText, `${agentPath(agentId)}/mcp-prompts`, { method: "POST", body });
}

export function readResource(agentId: string, body: McpResourceBody) {
  return callJson(McpText, `${agentPath(agentId)}/mcp-resources`, { method: "POST", body });
}

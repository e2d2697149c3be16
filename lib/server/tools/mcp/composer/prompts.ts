import "server-only";
import type { GetPromptResult, Prompt } from "@modelcontextprotocol/sdk/types.js";
import { AppError } from "@/lib/schema/app-error";
import type { McpPrompt, McpPromptBody, McpPromptList } from "@/lib/schema/tools/mcp-composer";
import type { AgentViewer } from "@/lib/server/platform/db/queries/agent-access";
import type { McpConnection } from "@/lib/server/tools/mcp/connect";
import { ANSWER_MS, askAll, askOne, MAX_OFFERED } from "./agent-servers";
import { readableText, resourceBlock } from "./composer-text";

/** The prompts currently offered by the agent's servers. */
export async function listMcpPrompts(agentId: string, viewer: AgentViewer): Promise<McpPromptList> {
  const { found, away } = await askAll(agentId, viewer, async (connection, serverId) =>
    (await listPrompts(connection)).map((prompt) => toPrompt(serverId, prompt)),
  );
  return { prompts: found, away };
}

async function listPrompts({ client }: McpConnection): Promise<Prompt[]> {
  const found: Prompt[] = [];
  if (!client.getServerCapabilities()?.prompts) return found;
  let cursor: string | undefined;
  do {
    const page = await client.listPrompts(cursor === undefined ? {} : { cursor }, { timeout: ANSWER_MS });
    found.push(...page.prompts);
    cursor = page.prompts.length === 0 ? undefined : page.nextCursor;
  } while (cursor !== undefined && found.length < MAX_OFFERED);
  return found.slice(0, MAX_OFFERED);
}

function toPrompt(serverId: string, prompt: Prompt): McpPrompt {
  return {
    serverId,
    name: prompt.name,
    description: prompt.description ?? prompt.title ?? "",
    arguments: (prompt.arguments ?? []).map(({ name, description = "", required = false }) => {
      return { name, description, required };
    }),
  };
}

/** A prompt as text that the person then sees, edits and sends. Throws AppErrors whose text is meant for them. */
export async function writeMcpPrompt(agentId: string, viewer: AgentViewer, body: McpPromptBody): Promise<string> {
  const { serverId, name, arguments: given = {} } = body;
  return askOne({ agentId, viewer, serverId }, async (connection) => {
    const prompt = (await listPrompts(connection)).find((offered) => offered.name === name);
    if (!prompt) throw new AppError("not_found", `The MCP server ${serverId} has no prompt "${name}" now.`);
    const missing = (prompt.arguments ?? []).filter((argument) => argument.required && !given[argument.name]?.trim());
    if (missing.length > 0) {
      const details = missing.map((argument) => ({ path: `arguments.${argument.name}`, message: "is needed" }));
      throw new AppError("invalid_input", `Fill in ${missing.map((argument) => argument.name).join(", ")}.`, {
        details,
      });
    }
    const result = await connection.client.getPrompt({ name, arguments: given }, { timeout: ANSWER_MS });
    return readableText(textOf(serverId, result), `The prompt ${name}`);
  });
}

function textOf(serverId: string, { messages }: GetPromptResult): string {
  const isDialogue = messages.some(({ role }) => role === "assistant");
  return messages
    .map(({ role, content }) => {
      const text = contentText(serverId, content);
      if (!isDialogue) return text;
      return `${role === "assistant" ? "Assistant" : "User"}: ${text}`;
    })
    .join("\n\n");
}

/** Only text goes into a message; for other content, a note says what was omitted. */
function contentText(serverId: string, content: GetPromptResult["messages"][number]["content"]): string {
  switch (content.type) {
    case "text":
      return content.text;
    case "resource_link":
      return `${content.name}: ${content.uri}`;
    case "resource": {
      const { resource } = content;
      if ("text" in resource) return resourceBlock(serverId, resource.uri, resource.text);
      return `[${resource.uri}: ${resource.mimeType ?? "binary"}, left out]`;
    }
    default:
      return `[${content.type}: ${content.mimeType}, left out]`;
  }
}

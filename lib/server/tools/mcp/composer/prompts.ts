import "server-only";
import { ResultSchema } from "@modelcontextprotocol/sdk/types.js";
import { AppError } from "@/lib/schema/app-error";
import type { McpPromptBody, McpPromptList } from "@/lib/schema/tools/mcp-composer";
import type { AgentViewer } from "@/lib/server/platform/db/queries/agent-access";
import type { Services } from "@/lib/server/platform/services";
import type { McpConnection } from "@/lib/server/tools/mcp/connect";
import { partText } from "@/lib/server/tools/mcp/content";
import { BARE_RESULT, isObject, type JsonObject } from "@/lib/server/tools/mcp/reading/read-message";
import { listOf, type ReadPrompt, readContents, readPrompt } from "@/lib/server/tools/mcp/reading/read-offers";
import { readPages } from "@/lib/server/tools/mcp/reading/read-pages";
import { ANSWER_MS, askAll, askOne, MAX_OFFERED } from "./agent-servers";
import { readableText, resourceBlock } from "./composer-text";

/** The prompts currently offered by the agent's servers. */
export async function listMcpPrompts(services: Services, agentId: string, viewer: AgentViewer): Promise<McpPromptList> {
  const { found, away } = await askAll(services, agentId, viewer, async (connection, serverId) =>
    (await listPrompts(connection)).map((prompt) => ({ serverId, ...prompt, arguments: [...prompt.arguments] })),
  );
  return { prompts: found, away };
}

async function listPrompts({ client }: McpConnection): Promise<ReadPrompt[]> {
  if (!client.getServerCapabilities()?.prompts) return [];
  return readPages(client, {
    method: "prompts/list",
    field: "prompts",
    read: readPrompt,
    keyOf: ({ name }) => name,
    timeoutMs: ANSWER_MS,
    max: MAX_OFFERED,
  });
}

/** A prompt as text that the person then sees, edits and sends. Throws AppErrors whose text is meant for them. */
export async function writeMcpPrompt(
  services: Services,
  agentId: string,
  viewer: AgentViewer,
  body: McpPromptBody,
): Promise<string> {
  const { serverId, name, arguments: given = {} } = body;
  return askOne(services, { agentId, viewer, serverId }, async (connection) => {
    const prompt = (await listPrompts(connection)).find((offered) => offered.name === name);
    if (!prompt) throw new AppError("not_found", `The MCP server ${serverId} has no prompt "${name}" now.`);
    const missing = prompt.arguments.filter((argument) => argument.required && !given[argument.name]?.trim());
    if (missing.length > 0) {
      const details = missing.map((argument) => ({ path: `arguments.${argument.name}`, message: "is needed" }));
      throw new AppError("invalid_input", `Fill in ${missing.map((argument) => argument.name).join(", ")}.`, {
        details,
      });
    }
    const request = { method: "prompts/get" as const, params: { name, arguments: given } };
    const result = await connection.client.request(request, ResultSchema, { timeout: ANSWER_MS });
    return readableText(textOf(serverId, result), `The prompt ${name}`);
  });
}

function textOf(serverId: string, result: JsonObject): string {
  const messages = listOf(result.messages ?? result[BARE_RESULT]).map((message) => {
    const { role, content } = isObject(message) ? message : { role: "user", content: message };
    const text = listOf(content).map((part) => contentText(serverId, part));
    return { isReply: role === "assistant", text: text.join("\n\n") };
  });
  const isDialogue = messages.some(({ isReply }) => isReply);
  return messages
    .map(({ isReply, text }) => (isDialogue ? `${isReply ? "Assistant" : "User"}: ${text}` : text))
    .join("\n\n");
}

/** Only text goes into a message; for other content, a note says what was omitted. */
function contentText(serverId: string, content: unknown): string {
  if (!isObject(content)) return typeof content === "string" ? content : partText(content);
  const { type, text, resource, mimeType } = content;
  if (type === "text" && typeof text === "string") return text;
  if (type === "image" || type === "audio") return `[${[type, mimeType].filter(Boolean).join(": ")}, left out]`;
  if (type !== "resource" || !isObject(resource)) return partText(content);
  const read = readContents(resource);
  const uri = String(resource.uri ?? "");
  return "text" in read ? resourceBlock(serverId, uri, read.text) : `[${uri}: ${read.type ?? "binary"}, left out]`;
}

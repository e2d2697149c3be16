import "server-only";
import type { Resource } from "@modelcontextprotocol/sdk/types.js";
import { AppError } from "@/lib/schema/app-error";
import type { McpResourceBody, McpResourceList } from "@/lib/schema/tools/mcp-composer";
import type { AgentViewer } from "@/lib/server/platform/db/queries/agent-access";
import type { McpConnection } from "@/lib/server/tools/mcp/connect";
import { ANSWER_MS, askAll, askOne, MAX_OFFERED } from "./agent-servers";
import { readableText, resourceBlock } from "./composer-text";

/** The resources of the agent's servers, as they offer them now. */
export async function listMcpResources(agentId: string, viewer: AgentViewer): Promise<McpResourceList> {
  const { found, away } = await askAll(agentId, viewer, async (connection, serverId) =>
    (await listResources(connection)).map(({ uri, name, title, description = "", mimeType = null }) => {
      return { serverId, uri, name: title ?? name, description, mediaType: mimeType };
    }),
  );
  return { resources: found, away };
}

async function listResources({ client }: McpConnection): Promise<Resource[]> {
  const found: Resource[] = [];
  if (!client.getServerCapabilities()?.resources) return found;
  let cursor: string | undefined;
  do {
    const page = await client.listResources(cursor === undefined ? {} : { cursor }, { timeout: ANSWER_MS });
    found.push(...page.resources);
    cursor = page.resources.length === 0 ? undefined : page.nextCursor;
  } while (cursor !== undefined && found.length < MAX_OFFERED);
  return found.slice(0, MAX_OFFERED);
}

/**
 * A resource as a marked block for a message. Only what the server lists is read: an address that somebody else wrote
 * reaches nothing. Throws AppErrors whose text is for people.
 */
export async function readMcpResource(agentId: string, viewer: AgentViewer, body: McpResourceBody): Promise<string> {
  const { serverId, uri } = body;
  return askOne({ agentId, viewer, serverId }, async (connection) => {
    const listed = (await listResources(connection)).find((resource) => resource.uri === uri);
    if (!listed) throw new AppError("not_found", `The MCP server ${serverId} has no resource at ${uri} now.`);
    const { contents } = await connection.client.readResource({ uri }, { timeout: ANSWER_MS });
    const texts = contents.map((content) => {
      if ("text" in content) return content.text;
      const type = content.mimeType ?? listed.mimeType ?? "binary data";
      throw new AppError("not_available", `${listed.name} is not text but ${type}. Only text goes into a message.`);
    });
    return resourceBlock(serverId, uri, readableText(texts.join("\n\n"), listed.name));
  });
}

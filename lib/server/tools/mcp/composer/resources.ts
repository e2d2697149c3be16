import "server-only";
import type { Resource } from "@modelcontextprotocol/sdk/types.js";
import { AppError } from "@/lib/schema/app-error";
import type { McpResourceList, McpResourceRequest, McpTemplate } from "@/lib/schema/tools/mcp-composer";
import type { AgentViewer } from "@/lib/server/platform/db/queries/agent-access";
import type { McpConnection } from "@/lib/server/tools/mcp/connect";
import { ANSWER_MS, askAll, askOne, MAX_OFFERED } from "./agent-servers";
import { readableText, resourceBlock } from "./composer-text";

interface Offered {
  readonly resource?: McpResourceList["resources"][number];
  readonly template?: McpTemplate;
}

/** The resources and templates currently offered by the agent's servers. */
export async function listMcpResources(agentId: string, viewer: AgentViewer): Promise<McpResourceList> {
  const { found, away } = await askAll(agentId, viewer, async (connection, serverId): Promise<Offered[]> => {
    const [listed, templates] = await Promise.all([listResources(connection), listTemplates(connection)]);
    return [
      ...listed.map(({ uri, name, title, description = "", mimeType = null }) => {
        return { resource: { serverId, uri, name: title ?? name, description, mediaType: mimeType } };
      }),
      ...templates.map(({ gaps, uriTemplate, name, title, description = "" }) => {
        return { template: { serverId, uriTemplate, name: title ?? name, description, arguments: gaps } };
      }),
    ];
  });
  return {
    resources: found.flatMap(({ resource }) => resource ?? []),
    templates: found.flatMap(({ template }) => template ?? []),
    away,
  };
}

const METHOD_NOT_FOUND = -32_601;

/** Resource templates with placeholders; many servers have none and don't know the request. */
async function listTemplates({ client }: McpConnection) {
  if (!client.getServerCapabilities()?.resources) return [];
  const { UriTemplate } = await import("@modelcontextprotocol/sdk/shared/uriTemplate.js");
  const { resourceTemplates } = await client
    .listResourceTemplates({}, { timeout: ANSWER_MS })
    .catch((error: unknown) => {
      if (error instanceof Error && "code" in error && error.code === METHOD_NOT_FOUND)
        return { resourceTemplates: [] };
      throw error;
    });
  return resourceTemplates.slice(0, MAX_OFFERED).flatMap((template) => {
    try {
      return [{ ...template, gaps: new UriTemplate(template.uriTemplate).variableNames }];
    } catch {
      // Nobody could fill in such a template.
      return [];
    }
  });
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
 * A template's address with its placeholders filled in. Throws `not_found`, and `invalid_input` for an empty
 * placeholder.
 */
async function fillIn(
  connection: McpConnection,
  { serverId, uriTemplate = "", arguments: given }: McpResourceRequest,
): Promise<{ readonly uri: string; readonly name: string; readonly mimeType?: string | undefined }> {
  const template = (await listTemplates(connection)).find((listed) => listed.uriTemplate === uriTemplate);
  if (!template) throw new AppError("not_found", `The MCP server ${serverId} has no template ${uriTemplate} now.`);
  const missing = template.gaps.filter((name) => !given[name]?.trim());
  if (missing.length > 0) {
    const details = missing.map((name) => ({ path: `arguments.${name}`, message: "is needed" }));
    throw new AppError("invalid_input", `Fill in ${missing.join(", ")}.`, { details });
  }
  const { UriTemplate } = await import("@modelcontextprotocol/sdk/shared/uriTemplate.js");
  return { uri: new UriTemplate(uriTemplate).expand(given), name: template.title ?? template.name };
}

async function findListed(connection: McpConnection, { serverId, uri = "" }: McpResourceRequest) {
  const listed = (await listResources(connection)).find((resource) => resource.uri === uri);
  if (!listed) throw new AppError("not_found", `The MCP server ${serverId} has no resource at ${uri} now.`);
  return listed;
}

/**
 * A resource as a marked block for a message. Only listed resources and those that match a listed template are read: an
 * address written by somebody else reaches nothing. Throws AppErrors whose text is meant for people.
 */
export async function readMcpResource(agentId: string, viewer: AgentViewer, body: McpResourceRequest): Promise<string> {
  const { serverId } = body;
  return askOne({ agentId, viewer, serverId }, async (connection) => {
    const listed = await (body.uri === undefined ? fillIn : findListed)(connection, body);
    const { uri } = listed;
    const { contents } = await connection.client.readResource({ uri }, { timeout: ANSWER_MS });
    const texts = contents.map((content) => {
      if ("text" in content) return content.text;
      const type = content.mimeType ?? listed.mimeType ?? "binary data";
      throw new AppError("not_available", `${listed.name} is not text but ${type}. Only text goes into a message.`);
    });
    return resourceBlock(serverId, uri, readableText(texts.join("\n\n"), listed.name));
  });
}

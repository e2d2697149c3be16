import "server-only";
import { ResultSchema } from "@modelcontextprotocol/sdk/types.js";
import { AppError } from "@/lib/schema/app-error";
import type { McpResourceList, McpResourceRequest, McpTemplate } from "@/lib/schema/tools/mcp-composer";
import type { AgentViewer } from "@/lib/server/platform/db/queries/agent-access";
import type { Services } from "@/lib/server/platform/services";
import type { McpConnection } from "@/lib/server/tools/mcp/connect";
import { BARE_RESULT, isObject } from "@/lib/server/tools/mcp/reading/read-message";
import { listOf, type ReadResource, readContents, readOffer } from "@/lib/server/tools/mcp/reading/read-offers";
import { readPages } from "@/lib/server/tools/mcp/reading/read-pages";
import { ANSWER_MS, askAll, askOne, MAX_OFFERED } from "./agent-servers";
import { readableText, resourceBlock } from "./composer-text";

interface Offered {
  readonly resource?: McpResourceList["resources"][number];
  readonly template?: McpTemplate;
}

/** The resources and templates currently offered by the agent's servers. */
export async function listMcpResources(
  services: Services,
  agentId: string,
  viewer: AgentViewer,
): Promise<McpResourceList> {
  const { found, away } = await askAll(services, agentId, viewer, async (connection, serverId): Promise<Offered[]> => {
    const [listed, templates] = await Promise.all([listResources(connection), listTemplates(connection)]);
    return [
      ...listed.map(({ address, ...resource }) => ({ resource: { serverId, uri: address, ...resource } })),
      ...templates.map(({ gaps, address, name, description }) => {
        return { template: { serverId, uriTemplate: address, name, description, arguments: gaps } };
      }),
    ];
  });
  return {
    resources: found.flatMap(({ resource }) => resource ?? []),
    templates: found.flatMap(({ template }) => template ?? []),
    away,
  };
}

/** Resource templates with placeholders; many servers have none and don't know the request. */
async function listTemplates({ client }: McpConnection) {
  if (!client.getServerCapabilities()?.resources) return [];
  const { UriTemplate } = await import("@modelcontextprotocol/sdk/shared/uriTemplate.js");
  const templates = await readPages(client, {
    ...OFFERS,
    method: "resources/templates/list",
    field: "resourceTemplates",
    read: (entry) => readOffer(entry, "uriTemplate"),
  });
  return templates.flatMap((template) => {
    try {
      return [{ ...template, gaps: new UriTemplate(template.address).variableNames }];
    } catch {
      // Nobody could fill in such a template.
      return [];
    }
  });
}

const OFFERS = { keyOf: ({ address }: ReadResource) => address, timeoutMs: ANSWER_MS, max: MAX_OFFERED };

async function listResources({ client }: McpConnection): Promise<ReadResource[]> {
  if (!client.getServerCapabilities()?.resources) return [];
  const read = (entry: unknown) => readOffer(entry, "uri");
  return readPages(client, { ...OFFERS, method: "resources/list", field: "resources", read });
}

/**
 * A template's address with its placeholders filled in. Throws `not_found`, and `invalid_input` for an empty
 * placeholder.
 */
async function fillIn(
  connection: McpConnection,
  { serverId, uriTemplate = "", arguments: given }: McpResourceRequest,
): Promise<ReadResource> {
  const template = (await listTemplates(connection)).find((listed) => listed.address === uriTemplate);
  if (!template) throw new AppError("not_found", `The MCP server ${serverId} has no template ${uriTemplate} now.`);
  const missing = template.gaps.filter((name) => !given[name]?.trim());
  if (missing.length > 0) {
    const details = missing.map((name) => ({ path: `arguments.${name}`, message: "is needed" }));
    throw new AppError("invalid_input", `Fill in ${missing.join(", ")}.`, { details });
  }
  const { UriTemplate } = await import("@modelcontextprotocol/sdk/shared/uriTemplate.js");
  return { ...template, address: new UriTemplate(uriTemplate).expand(given) };
}

async function findListed(connection: McpConnection, { serverId, uri = "" }: McpResourceRequest) {
  const listed = (await listResources(connection)).find(({ address }) => address === uri);
  if (!listed) throw new AppError("not_found", `The MCP server ${serverId} has no resource at ${uri} now.`);
  return listed;
}

/**
 * A resource as a marked block for a message. Only listed resources and those that match a listed template are read: an
 * address written by somebody else reaches nothing. Throws AppErrors whose text is meant for people.
 */
export async function readMcpResource(
  services: Services,
  agentId: string,
  viewer: AgentViewer,
  body: McpResourceRequest,
): Promise<string> {
  const { serverId } = body;
  return askOne(services, { agentId, viewer, serverId }, async (connection) => {
    const listed = await (body.uri === undefined ? fillIn : findListed)(connection, body);
    const request = { method: "resources/read" as const, params: { uri: listed.address } };
    const result = await connection.client.request(request, ResultSchema, { timeout: ANSWER_MS });
    const texts = listOf(result.contents ?? result[BARE_RESULT]).map((content) => {
      const held = isObject(content) ? readContents(content) : { text: String(content) };
      if ("text" in held) return held.text;
      const type = held.type ?? listed.mediaType ?? "binary data";
      throw new AppError("not_available", `${listed.name} is not text but ${type}. Only text goes into a message.`);
    });
    return resourceBlock(serverId, listed.address, readableText(texts.join("\n\n"), listed.name));
  });
}

import "server-only";
import type { Tool } from "@/lib/agent/tools/tool";
import { notOfThisAgent } from "@/lib/hooks/missing-tool";
import type { McpOnCall } from "@/lib/schema/tools/mcp-server";
import type { Database } from "@/lib/server/platform/db/database";
import type { Services } from "@/lib/server/platform/services";
import { readParameters } from "@/lib/server/tools/json-schema-check";
import { callMcpTool, goneText, withdrawnText } from "./call-tool";
import { annotationsOf, defaultOnCall, offeredName, readDefinition, stateOf } from "./definitions";
import type { McpServerRow, McpToolRow } from "./server-row";

/**
 * The accepted tools of these servers, as they were accepted: listing them contacts no server. A tool whose description
 * has changed since, or that is denied, is omitted.
 */
export async function listMcpTools(services: Services, serverIds: readonly string[]): Promise<Tool[]> {
  const tools = await findServers(services.database, serverIds);
  return toTools(
    services,
    tools.toSorted((a, b) => serverIds.indexOf(a.id) - serverIds.indexOf(b.id)),
  );
}

function findServers(database: Database, ids: readonly string[]) {
  return database.mcpServer.findMany({
    where: { id: { in: [...ids] }, enabled: true },
    include: { tools: { where: { pinned: { not: null } }, orderBy: { name: "asc" } } },
    orderBy: { id: "asc" },
  });
}

function toTools(services: Services, servers: Awaited<ReturnType<typeof findServers>>): Tool[] {
  return servers.flatMap(({ tools, ...server }) =>
    tools.filter(isOffered).map((tool) => toTool(services, server, tool)),
  );
}

function isOffered(tool: McpToolRow): boolean {
  return stateOf(tool) === "pinned" && tool.onCall !== "deny";
}

function toTool(services: Services, server: McpServerRow, row: McpToolRow): Tool {
  const { name } = row;
  const definition = readDefinition(row.pinned ?? "");
  const { title, description, schema } = definition;
  const annotations = annotationsOf(definition);
  const onCall = (row.onCall as McpOnCall | null) ?? defaultOnCall(definition);
  const isRepeatable = (annotations.readOnly || annotations.idempotent) ?? false;
  const accepted = { server, name, pinnedHash: row.pinnedHash ?? "", isRepeatable };
  return {
    name: offeredName(server.id, name),
    description: description || title || name,
    parameters: { type: "object", ...schema },
    annotations,
    place: `the MCP server ${server.id}`,
    ...(onCall === "ask" ? { approval: "ask" as const } : {}),
    parse: parser(schema),
    execute: (args, execution) => callMcpTool(services, accepted, args as Record<string, unknown>, execution),
  };
}

/** A schema that can't be validated here is left to the server. */
function parser(schema: Record<string, unknown>): Tool["parse"] {
  let check: ReturnType<typeof readParameters> | null | undefined;
  return (args) => {
    check ??= readOrNull(schema);
    const parsed = check?.safeParse(args);
    if (parsed === undefined || parsed.success) return { ok: true, args };
    const problems = parsed.error.issues.map((issue) => `${issue.path.join(".") || "arguments"}: ${issue.message}`);
    return { ok: false, message: problems.join("; ") };
  };
}

function readOrNull(schema: Record<string, unknown>): ReturnType<typeof readParameters> | null {
  try {
    return readParameters(schema);
  } catch {
    return null;
  }
}

/** Why an agent lacks a tool that a server has or had, as the model reads it; null for an unknown name. */
export async function explainMissingMcpTool(database: Database, name: string): Promise<string | null> {
  const [, serverId] = /^mcp__(.+?)__/.exec(name) ?? [];
  if (serverId === undefined) return null;
  const rows = await database.mcpTool.findMany({ where: { serverId } });
  const row = rows.find((tool) => offeredName(serverId, tool.name) === name);
  if (!row) return null;
  const state = stateOf(row);
  if (state === "changed" || state === "new" || state === "unreadable") return withdrawnText(row.name);
  if (state === "gone") return goneText(serverId, row.name);
  return notOfThisAgent(name);
}

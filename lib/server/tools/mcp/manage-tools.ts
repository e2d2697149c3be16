import "server-only";
import { AppError } from "@/lib/schema/app-error";
import type { AcceptMcpToolsBody, McpOnCall, McpTool, McpToolList } from "@/lib/schema/tools/mcp-server";
import type { Viewer } from "@/lib/schema/users/user";
import { auditColumns } from "@/lib/server/platform/audit-columns";
import type { Database } from "@/lib/server/platform/db/database";
import { readEach } from "@/lib/server/platform/db/each-alone";
import type { Services } from "@/lib/server/platform/services";
import { askForTools, McpServerAway } from "./ask-server";
import { annotationsOf, defaultOnCall, offeredName, readDefinition, stateOf } from "./definitions";
import { findServerRow } from "./manage-servers";
import { McpNotConnected } from "./oauth/connection-row";
import type { McpToolRow } from "./server-row";
import { suspiciousText } from "./suspicious-text";

/**
 * Tools waiting for acceptance first, then by name. A server that was never queried is queried now. Throws `not_found`.
 */
export async function listMcpTools(services: Services, serverId: string, viewer: Viewer): Promise<McpToolList> {
  const server = await findServerRow(services.database, serverId);
  if (server.enabled && server.askedAt === null && server.awaySince === null) {
    await askForTools(services, server, viewer.id).catch((error: unknown) => {
      if (!(error instanceof McpServerAway || error instanceof McpNotConnected)) throw error;
    });
  }
  return readTools(services.database, serverId);
}

/**
 * Queries the server again. Throws `not_found`, `not_available` for a server that is off or not connected,
 * `unavailable` if it is away.
 */
export async function refreshMcpTools(services: Services, serverId: string, viewer: Viewer): Promise<McpToolList> {
  const server = await findServerRow(services.database, serverId);
  if (!server.enabled) throw new AppError("not_available", "This MCP server is switched off. Switch it on first.");
  try {
    await askForTools(services, server, viewer.id);
  } catch (error) {
    if (error instanceof McpNotConnected) {
      throw new AppError("not_available", `Connect to ${serverId} first: its tools are read with your connection.`);
    }
    if (!(error instanceof McpServerAway)) throw error;
    throw new AppError("unavailable", `${serverId} does not answer: ${error.message}`, { cause: error });
  }
  return readTools(services.database, serverId);
}

/**
 * Accepts the definitions a person has seen; from then on they are offered. A tool that is gone is deleted. Throws
 * `conflict` if one of them has changed since, `invalid_input` if one can't be read: then none is accepted.
 */
export async function acceptMcpTools(
  database: Database,
  serverId: string,
  { tools }: AcceptMcpToolsBody,
  viewer: Viewer,
): Promise<McpToolList> {
  await findServerRow(database, serverId);
  const rows = await database.mcpTool.findMany({
    where: { serverId, name: { in: tools.map(({ name }) => name) } },
  });
  const chosen = tools.map(({ name, hash }) => ({ hash, row: rows.find((row) => row.name === name) }));
  if (chosen.some(({ row, hash }) => row === undefined || shownHash(row) !== hash))
    throw await changedAgain(database, serverId);
  const unread = chosen.find(({ row }) => row !== undefined && stateOf(row) === "unreadable");
  if (unread)
    throw new AppError("invalid_input", `The tool ${unread.row?.name} can't be read, so it can't be accepted.`);
  const now = new Date();
  const statements = chosen.flatMap(({ row, hash }) => {
    if (row === undefined) return [];
    const where = { serverId_name: { serverId, name: row.name }, hash: row.hash };
    if (row.hash === null) return [database.mcpTool.delete({ where })];
    const data = { pinned: row.definition, pinnedHash: hash, pinnedAt: now, pinnedById: viewer.id };
    return [database.mcpTool.update({ where, data })];
  });
  const pinned = Object.fromEntries(chosen.map(({ row }) => [row?.name ?? "", shortHash(row?.pinnedHash)]));
  const accepted = Object.fromEntries(
    chosen.map(({ row, hash }) => [row?.name ?? "", row?.hash ? shortHash(hash) : null]),
  );
  const record = {
    actorId: viewer.id,
    action: "mcp_tools.accepted",
    target: `mcp_server:${serverId}`,
    before: pinned,
    after: accepted,
  };
  try {
    await database.$transaction([...statements, database.auditEntry.create({ data: auditColumns(record) })]);
  } catch (error) {
    // A definition that changed in between no longer matches a row.
    if (error instanceof Error && "code" in error && error.code === "P2025")
      throw await changedAgain(database, serverId);
    throw error;
  }
  return readTools(database, serverId);
}

function shortHash(hash: string | null | undefined): string | null {
  return hash?.slice(0, 12) ?? null;
}

function shownHash({ hash, pinnedHash }: McpToolRow): string | null {
  return hash ?? pinnedHash;
}

async function changedAgain(database: Database, serverId: string): Promise<AppError> {
  const message = "A definition has changed again since it was shown, so nothing was accepted. Look once more.";
  return new AppError("conflict", message, { details: { current: await readTools(database, serverId) } });
}

/** Identifies a tool of a server. */
interface McpToolPlace {
  readonly serverId: string;
  readonly name: string;
}

/** Sets whether a call asks, for all agents; null: as the annotations say. Throws `not_found`. */
export async function updateMcpTool(
  database: Database,
  { serverId, name }: McpToolPlace,
  onCall: McpOnCall | null,
  viewer: Viewer,
): Promise<McpToolList> {
  const key = { serverId_name: { serverId, name } };
  const before = await database.mcpTool.findUnique({ where: key, select: { onCall: true } });
  if (!before) throw new AppError("not_found", `The server "${serverId}" has no tool "${name}".`);
  const record = {
    actorId: viewer.id,
    action: "mcp_tool.changed",
    target: `mcp_server:${serverId}`,
    before: { onCall: before.onCall ?? "default" },
    after: { onCall: onCall ?? "default" },
    details: { tool: name },
  };
  await database.$transaction([
    // A tool that its server has removed since stays removed.
    database.mcpTool.updateMany({ where: { serverId, name }, data: { onCall } }),
    database.auditEntry.create({ data: auditColumns(record) }),
  ]);
  return readTools(database, serverId);
}

const ORDER = { changed: 0, new: 1, unreadable: 2, gone: 3, pinned: 4 } as const;

async function readTools(database: Database, serverId: string): Promise<McpToolList> {
  const rows = await database.mcpTool.findMany({ where: { serverId }, orderBy: { name: "asc" } });
  const people = await namesOf(
    database,
    rows.flatMap(({ pinnedById }) => pinnedById ?? []),
  );
  const tools = readEach(rows, "MCP tool", (row) => toMcpTool(row, people));
  return { tools: tools.toSorted((a, b) => ORDER[a.state] - ORDER[b.state]), nextCursor: null };
}

async function namesOf(database: Database, ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
  if (ids.length === 0) return new Map();
  const where = { id: { in: [...new Set(ids)] } };
  const users = await database.user.findMany({ where, select: { id: true, name: true } });
  return new Map(users.map(({ id, name }) => [id, name]));
}

function toMcpTool(row: McpToolRow, people: ReadonlyMap<string, string>): McpTool {
  const { serverId, name, hash, pinnedHash, onCall } = row;
  const shown = readDefinition(row.definition ?? row.pinned ?? '{"schema":{}}');
  return {
    name,
    offeredAs: offeredName(serverId, name),
    title: shown.title ?? null,
    description: shown.description,
    schema: shown.schema,
    annotations: shown.annotations ?? null,
    means: annotationsOf(shown),
    hash,
    pinnedHash,
    state: stateOf(row),
    pinned: row.pinned !== null && hash !== pinnedHash ? readDefinition(row.pinned) : null,
    noticedAt: row.noticedAt.toISOString(),
    pinnedAt: row.pinnedAt?.toISOString() ?? null,
    pinnedByName: row.pinnedById === null ? null : (people.get(row.pinnedById) ?? null),
    onCall: (onCall as McpOnCall | null) ?? defaultOnCall(shown),
    isDefault: onCall === null,
    unreadable: shown.unreadable ?? null,
    suspicious: hash === pinnedHash ? null : suspiciousText(shown),
  };
}

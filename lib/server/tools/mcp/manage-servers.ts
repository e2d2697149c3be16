import "server-only";
import { AppError } from "@/lib/schema/app-error";
import type { CreateMcpServerBody, McpServer, McpServerList, UpdateMcpServerBody } from "@/lib/schema/tools/mcp-server";
import type { Viewer } from "@/lib/schema/users/user";
import { type AuditRecord, auditColumns, changedFields } from "@/lib/server/platform/audit-columns";
import type { Database } from "@/lib/server/platform/db/database";
import { readEach } from "@/lib/server/platform/db/each-alone";
import { isNotFound, isRaceLost } from "@/lib/server/platform/db/errors";
import { env } from "@/lib/server/platform/env";
import { keyIdOf } from "@/lib/server/platform/secrets/secrets";
import type { Services } from "@/lib/server/platform/services";
import { askForTools, McpServerAway } from "./ask-server";
import { checkServer, type McpServerColumns } from "./check-server";
import { stateOf } from "./definitions";
import { type McpConnectionRow, McpNotConnected, SHARED } from "./oauth/connection-row";
import { toConnection } from "./oauth/manage-connections";
import { mcpPool } from "./pool";
import { knownSecrets, type McpServerRow, type McpToolRow, readArgs, readMounts, readServerInfo } from "./server-row";

type CountedTool = Pick<McpToolRow, "hash" | "pinnedHash" | "onCall">;
/** Adds the counts of the server's tools and the connection that the viewer's calls would use. */
function shown({ id }: Viewer) {
  const tools = { select: { hash: true, pinnedHash: true, onCall: true } } as const;
  return { tools, connections: { where: { holder: { in: [id, SHARED] } } } };
}

/** Every server, by id. */
export async function listMcpServers(database: Database, viewer: Viewer): Promise<McpServerList> {
  const rows = await database.mcpServer.findMany({ orderBy: { id: "asc" }, include: shown(viewer) });
  return { mcpServers: readEach(rows, "MCP server", toMcpServer), nextCursor: null, stdioAllowed: env().allowStdioMcp };
}

/** Throws `not_found`. */
export async function getMcpServer(database: Database, id: string, viewer: Viewer): Promise<McpServer> {
  const row = await database.mcpServer.findUnique({ where: { id }, include: shown(viewer) });
  if (!row) throw noServer(id);
  return toMcpServer(row);
}

/** Throws `not_found`. */
export async function findServerRow(database: Database, id: string): Promise<McpServerRow> {
  const row = await database.mcpServer.findUnique({ where: { id } });
  if (!row) throw noServer(id);
  return row;
}

function noServer(id: string): AppError {
  return new AppError("not_found", `There is no MCP server "${id}".`);
}

/**
 * Creates a server and requests its tools, all of which then wait for acceptance. A server that does not answer is
 * created anyway. Throws `conflict` for an existing id, `invalid_input`, `not_available`.
 */
export async function createMcpServer(
  services: Services,
  body: CreateMcpServerBody,
  viewer: Viewer,
): Promise<McpServer> {
  const { id } = body;
  if (await services.database.mcpServer.findUnique({ where: { id }, select: { id: true } })) throw taken(id);
  const columns = await checkServer(id, body, null);
  try {
    await services.database.$transaction([
      services.database.mcpServer.create({ data: { id, ...columns, createdById: viewer.id } }),
      audit(services.database, {
        actorId: viewer.id,
        action: "mcp_server.created",
        target: `mcp_server:${id}`,
        after: factsOf(columns),
      }),
    ]);
  } catch (error) {
    if (isRaceLost(error)) throw taken(id);
    throw error;
  }
  return askAndGet(services, id, viewer);
}

function taken(id: string): AppError {
  const message = `There is already an MCP server "${id}".`;
  return new AppError("conflict", message, { details: [{ path: "id", message }] });
}

/**
 * Changes the given fields. Throws `not_found`, `conflict` for another `revision`, `invalid_input`, `not_available`.
 */
export async function updateMcpServer(
  services: Services,
  id: string,
  body: UpdateMcpServerBody,
  viewer: Viewer,
): Promise<McpServer> {
  const { database } = services;
  const before = await findServerRow(database, id);
  const columns = await checkServer(id, { ...body, transport: body.transport ?? (before.transport as "http") }, before);
  const where = { id, revision: body.revision ?? before.revision };
  const record = {
    actorId: viewer.id,
    action: "mcp_server.changed",
    target: `mcp_server:${id}`,
    ...changedFields(factsOf(before), factsOf(columns)),
  };
  try {
    await database.$transaction([
      database.mcpServer.update({
        where,
        data: { ...columns, revision: { increment: 1 }, awaySince: null, awayReason: null },
        select: { id: true },
      }),
      ...(keepsConnections(before, columns) ? [] : [database.mcpConnection.deleteMany({ where: { serverId: id } })]),
      audit(database, record),
    ]);
  } catch (error) {
    if (!isNotFound(error)) throw error;
    const message = "Somebody else has changed this server meanwhile. Look at it again.";
    throw new AppError("conflict", message, { details: { current: await getMcpServer(database, id, viewer) } });
  }
  mcpPool(services).drop(id);
  return askAndGet(services, id, viewer);
}

/** Tokens are valid only for one address, and for the people who granted them for it. */
function keepsConnections(before: McpServerRow, after: McpServerColumns): boolean {
  return before.url === after.url && before.auth === after.auth && before.scope === after.scope;
}

/** Agents that list the server keep its id and lack its tools. Throws `not_found`. */
export async function deleteMcpServer(services: Services, id: string, viewer: Viewer): Promise<void> {
  const before = factsOf(await findServerRow(services.database, id));
  await services.database.$transaction([
    services.database.mcpServer.delete({ where: { id } }),
    audit(services.database, { actorId: viewer.id, action: "mcp_server.deleted", target: `mcp_server:${id}`, before }),
  ]);
  mcpPool(services).drop(id);
}

function audit(database: Database, record: AuditRecord) {
  return database.auditEntry.create({ data: auditColumns(record), select: { id: true } });
}

async function askAndGet(services: Services, id: string, viewer: Viewer): Promise<McpServer> {
  const row = await findServerRow(services.database, id);
  if (row.enabled) {
    await askForTools(services, row, viewer.id).catch((error: unknown) => {
      if (!(error instanceof McpServerAway || error instanceof McpNotConnected)) throw error;
    });
  }
  return getMcpServer(services.database, id, viewer);
}

type AuditedColumns = Pick<McpServerRow, "transport" | "url" | "command" | "unsandboxed" | "enabled">;

/** Facts for the audit log; never a secret. */
function factsOf({ transport, url, command, unsandboxed, enabled }: AuditedColumns): Record<string, unknown> {
  const where = url === null ? { command } : { host: new URL(url).host };
  return { transport, ...where, ...(transport === "stdio" ? { unsandboxed } : {}), enabled };
}

interface ShownServer extends McpServerRow {
  readonly tools: readonly CountedTool[];
  readonly connections: readonly McpConnectionRow[];
}

function toMcpServer(row: ShownServer): McpServer {
  const { id, transport, url, command, unsandboxed, network, auth, scope, enabled, revision } = row;
  const secrets = knownSecrets(row);
  const mark = { set: true as const, keyId: keyIdOf(row.secretsEncrypted ?? "") };
  const marks = (all: Readonly<Record<string, string>>) =>
    Object.fromEntries(Object.keys(all).map((name) => [name, mark]));
  const states = row.tools.map((tool) => ({ state: stateOf(tool), onCall: tool.onCall }));
  return {
    id,
    transport: transport as McpServer["transport"],
    url,
    command,
    args: readArgs(row),
    env: marks(secrets.env),
    headers: marks(secrets.headers),
    token: secrets.token === null ? null : mark,
    unsandboxed,
    network,
    mounts: readMounts(row),
    auth: auth as McpServer["auth"],
    scope: scope as McpServer["scope"],
    clientId: secrets.client?.id ?? null,
    clientSecret: secrets.client?.secret ? mark : null,
    enabled,
    connection: auth === "oauth" ? toConnection(usedConnection(row)) : null,
    revision,
    state: serverState(row),
    awaySince: row.awaySince?.toISOString() ?? null,
    awayReason: row.awayReason,
    askedAt: row.askedAt?.toISOString() ?? null,
    facts: readServerInfo(row),
    tools: {
      known: states.filter(({ state }) => state !== "gone").length,
      offered: enabled ? states.filter(({ state, onCall }) => state === "pinned" && onCall !== "deny").length : 0,
      waiting: states.filter(({ state }) => state === "new" || state === "changed").length,
    },
  };
}

function usedConnection({ scope, connections }: ShownServer): McpConnectionRow | null {
  return connections.find(({ holder }) => (holder === SHARED) === (scope === "shared")) ?? null;
}

function serverState({ enabled, awaySince, askedAt }: McpServerRow): McpServer["state"] {
  if (!enabled) return "off";
  if (awaySince !== null) return "away";
  return askedAt === null ? "unasked" : "connected";
}

import "server-only";
import { AppError } from "@/lib/schema/app-error";
import type { McpConnectionList, McpHolderList, OwnMcpConnection } from "@/lib/schema/tools/mcp-connection";
import { hasAdminScope, type Viewer } from "@/lib/schema/users/user";
import { auditColumns } from "@/lib/server/platform/audit-columns";
import type { Database } from "@/lib/server/platform/db/database";
import type { Services } from "@/lib/server/platform/services";
import { mcpPool } from "@/lib/server/tools/mcp/pool";
import type { McpServerRow } from "@/lib/server/tools/mcp/server-row";
import { holderOf, type McpConnectionRow, openConnection, SHARED } from "./connection-row";
import { revokeTokens } from "./revoke-tokens";

/**
 * Throws `not_found`, `not_available` for a server without OAuth or switched off, `forbidden` for a shared connection
 * unless admin.
 */
export async function findOAuthServer(database: Database, id: string, viewer: Viewer): Promise<McpServerRow> {
  const server = await database.mcpServer.findUnique({ where: { id } });
  if (!server) throw new AppError("not_found", `There is no MCP server "${id}".`);
  if (server.scope !== "per_user" && !hasAdminScope(viewer)) {
    throw new AppError("forbidden", `Everybody uses ${id} with one connection, which administrators make.`);
  }
  if (server.auth !== "oauth") throw new AppError("not_available", `${id} needs no connection: it does not use OAuth.`);
  if (!server.enabled) throw new AppError("not_available", `${id} is switched off. An administrator can switch it on.`);
  return server;
}

/** The servers to which each person connects with their own account, and whether the viewer has. */
export async function listOwnConnections(database: Database, viewer: Viewer): Promise<McpConnectionList> {
  const servers = await database.mcpServer.findMany({
    where: { auth: "oauth", scope: "per_user", enabled: true },
    orderBy: { id: "asc" },
    include: { connections: { where: { holder: viewer.id } } },
  });
  const connections = servers.map(({ id, url, connections: [own] }) => ({
    serverId: id,
    host: new URL(url ?? "http://unknown").host,
    ...toConnection(own ?? null),
  }));
  return { connections, nextCursor: null };
}

/** The connection of one person, or the shared one. */
export function toConnection(row: McpConnectionRow | null): OwnMcpConnection {
  return {
    state: row === null ? "none" : row.lostAt === null ? "connected" : "lost",
    account: row?.account ?? null,
    connectedAt: row?.connectedAt.toISOString() ?? null,
  };
}

/** The people connected to a server, and their account names there. Throws `not_found`. */
export async function listHolders(database: Database, serverId: string): Promise<McpHolderList> {
  const server = await database.mcpServer.findUnique({
    where: { id: serverId },
    include: { connections: { orderBy: { connectedAt: "asc" } } },
  });
  if (!server) throw new AppError("not_found", `There is no MCP server "${serverId}".`);
  const ids = [...new Set(server.connections.map(({ connectedById }) => connectedById))];
  const people = await database.user.findMany({ where: { id: { in: ids } }, select: { id: true, name: true } });
  const names = new Map(people.map(({ id, name }) => [id, name]));
  const holders = server.connections.map((row) => ({
    userId: row.holder === SHARED ? null : row.holder,
    name: names.get(row.connectedById) ?? null,
    ...toConnection(row),
  }));
  return { holders, nextCursor: null };
}

/** Deletes the viewer's own connection, or the shared one. Throws `not_found`, `forbidden`. */
export async function disconnect(services: Services, serverId: string, viewer: Viewer): Promise<void> {
  const server = await findOAuthServer(services.database, serverId, viewer);
  await endConnection(services, { serverId, holder: holderOf(server, viewer.id) }, { scope: server.scope }, viewer);
}

/** An administrator ends another person's connection. Throws `not_found`. */
export async function endHoldersConnection(
  services: Services,
  serverId: string,
  userId: string,
  viewer: Viewer,
): Promise<void> {
  await endConnection(services, { serverId, holder: userId }, { scope: "per_user", userId }, viewer);
}

/** Deletes the tokens here at once and asks the server's sign-in to revoke them. */
async function endConnection(
  services: Services,
  key: Pick<McpConnectionRow, "serverId" | "holder">,
  details: Record<string, string>,
  viewer: Viewer,
): Promise<void> {
  const { database } = services;
  const { serverId } = key;
  const found = await database.mcpConnection.findUnique({ where: { serverId_holder: key } });
  if (!found) throw new AppError("not_found", `There is no such connection to ${serverId}.`);
  const record = { actorId: viewer.id, action: "mcp_server.disconnected", target: `mcp_server:${serverId}`, details };
  await database.$transaction([
    database.mcpConnection.deleteMany({ where: key }),
    database.auditEntry.create({ data: auditColumns(record) }),
  ]);
  mcpPool(services).drop(serverId);
  const secrets = openConnection(found);
  if (secrets) await revokeTokens(serverId, secrets);
}

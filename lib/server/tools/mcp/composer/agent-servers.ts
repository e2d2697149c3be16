import "server-only";
import { AppError } from "@/lib/schema/app-error";
import { loadCurrentVersion } from "@/lib/server/engine/agent-version";
import type { Database } from "@/lib/server/platform/db/database";
import { type AgentViewer, accessOf } from "@/lib/server/platform/db/queries/agent-access";
import type { Services } from "@/lib/server/platform/services";
import { inKnownSession, leaseConnection } from "@/lib/server/tools/mcp/ask-server";
import type { McpConnection } from "@/lib/server/tools/mcp/connect";
import { McpNotConnected, SHARED } from "@/lib/server/tools/mcp/oauth/connection-row";
import { failureMessage } from "@/lib/server/tools/mcp/reading/failure-message";
import type { McpServerRow } from "@/lib/server/tools/mcp/server-row";

/** How long a person waits for one answer while composing. */
export const ANSWER_MS = 15_000;
/** The limit per server; nobody chooses from more. */
export const MAX_OFFERED = 500;

/** The servers of an agent the viewer can reach, in the agent's order. Throws `not_found`. */
async function serversOf(database: Database, agentId: string, viewer: AgentViewer): Promise<McpServerRow[]> {
  const { config } = await loadCurrentVersion(database, agentId, accessOf(viewer));
  const ids = config.mcp_servers;
  if (ids.length === 0) return [];
  const rows = await database.mcpServer.findMany({ where: { id: { in: [...ids] }, enabled: true } });
  return rows.toSorted((a, b) => ids.indexOf(a.id) - ids.indexOf(b.id));
}

/**
 * Queries all servers of the agent concurrently. One that does not answer is listed with its reason; the others still
 * count.
 */
export async function askAll<T>(
  services: Services,
  agentId: string,
  viewer: AgentViewer,
  ask: (connection: McpConnection, serverId: string) => Promise<T[]>,
): Promise<{ found: T[]; away: { serverId: string; message: string }[] }> {
  const servers = await serversOf(services.database, agentId, viewer);
  const answers = await Promise.allSettled(
    servers.map((server) => withServer(services, server, viewer, (connection) => ask(connection, server.id))),
  );
  return {
    found: answers.flatMap((answer) => (answer.status === "fulfilled" ? answer.value : [])),
    away: answers.flatMap((answer, index) => {
      const serverId = servers[index]?.id ?? "";
      return answer.status === "fulfilled" ? [] : [{ serverId, message: awaySentence(serverId, answer.reason) }];
    }),
  };
}

/** Queries one server of the agent. Throws `not_found` for any other and `unavailable` if it does not answer. */
export async function askOne<T>(
  services: Services,
  { agentId, viewer, serverId }: { agentId: string; viewer: AgentViewer; serverId: string },
  ask: (connection: McpConnection) => Promise<T>,
): Promise<T> {
  const server = (await serversOf(services.database, agentId, viewer)).find(({ id }) => id === serverId);
  if (!server) throw new AppError("not_found", `The agent has no MCP server "${serverId}".`);
  try {
    return await withServer(services, server, viewer, ask);
  } catch (error) {
    if (error instanceof AppError) throw error;
    throw new AppError("unavailable", awaySentence(serverId, error), { cause: error });
  }
}

function withServer<T>(
  services: Services,
  server: McpServerRow,
  viewer: AgentViewer,
  ask: (connection: McpConnection) => Promise<T>,
): Promise<T> {
  return inKnownSession(services, server, () => askOnce(services, server, viewer, ask));
}

async function askOnce<T>(
  services: Services,
  server: McpServerRow,
  viewer: AgentViewer,
  ask: (connection: McpConnection) => Promise<T>,
): Promise<T> {
  const { connection, release } = await leaseConnection(services, server, viewer.id);
  try {
    return await ask(connection);
  } catch (error) {
    // A protocol error or one of Ringmaster's own leaves the connection intact.
    const isAnswer = error instanceof AppError || (error instanceof Error && error.name === "McpError");
    if (!isAnswer) await connection.close();
    throw error;
  } finally {
    release();
  }
}

function awaySentence(serverId: string, reason: unknown): string {
  if (reason instanceof McpNotConnected) {
    return reason.holder === SHARED
      ? `The MCP server ${serverId} is not connected. An administrator can connect it under Tools, MCP servers.`
      : `You are not connected to the MCP server ${serverId}. Connect under Inbox, Connections.`;
  }
  return `The MCP server ${serverId} did not answer: ${failureMessage(reason).slice(0, 300)}`;
}

import "server-only";
import type { Database } from "@/lib/server/platform/db/database";
import { findConnection, holderOf, McpNotConnected } from "./oauth/connection-row";
import { type McpLease, mcpPool, type PoolHolder } from "./pool";
import { recordAway, recordDefinitions } from "./record-definitions";
import type { McpServerRow } from "./server-row";

/** The server did not answer; the text is meant for people and models. */
export class McpServerAway extends Error {
  override readonly name = "McpServerAway";
}

/**
 * A connection for one use, with the tokens of this user or the shared ones. A server that can't be reached is recorded
 * as away. Throws McpServerAway, McpNotConnected.
 */
export async function leaseConnection(database: Database, server: McpServerRow, userId: string): Promise<McpLease> {
  const holder = server.auth === "oauth" ? await findHolder(database, server, userId) : undefined;
  try {
    return await mcpPool().acquire(server, holder);
  } catch (error) {
    if (error instanceof McpNotConnected) throw error;
    throw await noteAway(database, server, error);
  }
}

async function findHolder(database: Database, server: McpServerRow, userId: string): Promise<PoolHolder> {
  const holder = holderOf(server, userId);
  const row = await findConnection(database, server, holder);
  if (!row || row.lostAt !== null) throw new McpNotConnected(server.id, holder, row);
  return { holder, version: String(row.connectedAt.getTime()) };
}

/** Requests the tools and stores the answer. Throws McpServerAway, McpNotConnected. */
export async function askForTools(database: Database, server: McpServerRow, userId: string): Promise<void> {
  const { connection, release } = await leaseConnection(database, server, userId);
  try {
    connection.takeToolsChanged();
    const [tools, facts] = await Promise.all([connection.listTools(), connection.facts()]);
    await recordDefinitions(database, server, { tools, facts });
  } catch (error) {
    await connection.close();
    if (error instanceof McpNotConnected) throw error;
    throw await noteAway(database, server, error);
  } finally {
    release();
  }
}

export async function noteAway(database: Database, server: McpServerRow, error: unknown): Promise<McpServerAway> {
  const reason = error instanceof Error ? error.message : String(error);
  await recordAway(database, server, reason);
  return new McpServerAway(reason, { cause: error });
}

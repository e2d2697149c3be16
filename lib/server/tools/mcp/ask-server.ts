import "server-only";
import type { Database } from "@/lib/server/platform/db/database";
import { type McpLease, mcpPool } from "./pool";
import { recordAway, recordDefinitions } from "./record-definitions";
import type { McpServerRow } from "./server-row";

/** The server did not answer; the text is for people and models. */
export class McpServerAway extends Error {
  override readonly name = "McpServerAway";
}

/** A connection for one use. A server that can't be reached is noted as away. Throws McpServerAway. */
export async function leaseConnection(database: Database, server: McpServerRow): Promise<McpLease> {
  try {
    return await mcpPool().acquire(server);
  } catch (error) {
    throw await noteAway(database, server, error);
  }
}

/** Asks for the tools and stores the answer. Throws McpServerAway. */
export async function askForTools(database: Database, server: McpServerRow): Promise<void> {
  const { connection, release } = await leaseConnection(database, server);
  try {
    connection.takeToolsChanged();
    const [tools, facts] = await Promise.all([connection.listTools(), connection.facts()]);
    await recordDefinitions(database, server, { tools, facts });
  } catch (error) {
    await connection.close();
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

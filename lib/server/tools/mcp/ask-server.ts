import { SharedError } from "@/lib/schema/shared-error";
import "server-only";
import type { Database } from "@/lib/server/platform/db/database";
import { findConnection, holderOf, McpNotConnected } from "./oauth/connection-row";
import { type McpLease, mcpPool, type PoolHolder } from "./pool";
import { failureWords } from "./reading/failure-words";
import { McpSessionLost } from "./reading/session-lost";
import { recordAway, recordDefinitions } from "./record-definitions";
import type { McpServerRow } from "./server-row";

/** The server did not answer; the text is meant for people and models. */
export class McpServerAway extends SharedError {
  static override readonly kind = "McpServerAway";
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

const MAX_SESSIONS = 3;

/**
 * What `use` does on a connection, done again on another one while the server has forgotten the session: a restart
 * concerns all of them, so the idle ones are closed. What was sent in a forgotten session has not been done. Throws
 * McpSessionLost if the server forgets new sessions too.
 */
export async function inKnownSession<T>(server: Pick<McpServerRow, "id">, use: () => Promise<T>): Promise<T> {
  for (let session = 1; ; session += 1) {
    try {
      return await use();
    } catch (error) {
      if (!(error instanceof McpSessionLost) || session === MAX_SESSIONS) throw error;
      mcpPool().dropIdle(server.id);
    }
  }
}

/** Requests the tools and stores the answer. Throws McpServerAway, McpNotConnected. */
export async function askForTools(database: Database, server: McpServerRow, userId: string): Promise<void> {
  try {
    await inKnownSession(server, () => askOnce(database, server, userId));
  } catch (error) {
    if (error instanceof McpNotConnected || error instanceof McpServerAway) throw error;
    throw await noteAway(database, server, error);
  }
}

async function askOnce(database: Database, server: McpServerRow, userId: string): Promise<void> {
  const { connection, release } = await leaseConnection(database, server, userId);
  try {
    connection.takeToolsChanged();
    const [tools, facts] = await Promise.all([connection.listTools(), connection.facts()]);
    await recordDefinitions(database, server, { tools, facts });
  } catch (error) {
    await connection.close();
    throw error;
  } finally {
    release();
  }
}

export async function noteAway(database: Database, server: McpServerRow, error: unknown): Promise<McpServerAway> {
  const reason = failureWords(error);
  await recordAway(database, server, reason);
  return new McpServerAway(reason, { cause: error });
}

import { SharedError } from "@/lib/schema/shared-error";
import "server-only";
import type { Database } from "@/lib/server/platform/db/database";
import type { McpConnection } from "./connect";
import { findConnection, holderOf, McpNotConnected } from "./oauth/connection-row";
import { type McpLease, mcpPool, type PoolHolder } from "./pool";
import { failureWords } from "./reading/failure-words";
import { McpSessionLost } from "./reading/session-lost";
import { recordAway, recordDefinitions } from "./record-definitions";
import { McpRevisionRefused } from "./revisions/revision-refused";
import { forgetRevision } from "./revisions/standing";
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
 * What `use` does on a connection, done again on another one while the server has forgotten the session, or did not take
 * the request in the connection's revision: that concerns all of them, so the idle ones are closed. What was sent has
 * not been done. Throws McpSessionLost, McpRevisionRefused if that does not help.
 */
export async function inKnownSession<T>(server: Pick<McpServerRow, "id">, use: () => Promise<T>): Promise<T> {
  for (let session = 1; ; session += 1) {
    try {
      return await use();
    } catch (error) {
      const isRefused = error instanceof McpSessionLost || error instanceof McpRevisionRefused;
      if (!isRefused || session === MAX_SESSIONS) throw error;
      mcpPool().dropIdle(server.id);
    }
  }
}

/** Requests the tools, of a server over HTTP in the best revision it speaks by now, and stores them. Throws McpServerAway, McpNotConnected. */
export async function askForTools(database: Database, server: McpServerRow, userId: string): Promise<void> {
  if (server.transport === "http") {
    mcpPool().dropIdle(server.id);
    forgetRevision(server);
  }
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
    const tools = await connection.listTools();
    if (await hasMoreInEarlier(server, connection, tools)) throw connection.fallBack(new Error(FEWER_TOOLS));
    const facts = await connection.facts();
    await recordDefinitions(database, server, { tools, facts });
  } catch (error) {
    await connection.close();
    throw error;
  } finally {
    release();
  }
}

const FEWER_TOOLS = "The server has fewer tools in this revision of the protocol than in one before.";
const COMPARED_WITHIN_MS = 5_000;

/**
 * Whether a server that speaks both has tools in an earlier revision that it lacks in the current one. Programs are not
 * started a second time for that.
 */
async function hasMoreInEarlier(
  server: McpServerRow,
  { canFallBack, holder }: McpConnection,
  tools: ReadonlyMap<string, unknown>,
): Promise<boolean> {
  if (!canFallBack || server.transport === "stdio") return false;
  const { connectInEarlier } = await import("./connect");
  try {
    const earlier = await connectInEarlier(server, holder, COMPARED_WITHIN_MS);
    try {
      const others = await earlier.listTools(AbortSignal.timeout(COMPARED_WITHIN_MS));
      return [...others.keys()].some((name) => !tools.has(name));
    } finally {
      await earlier.close();
    }
  } catch {
    return false;
  }
}

export async function noteAway(database: Database, server: McpServerRow, error: unknown): Promise<McpServerAway> {
  const reason = failureWords(error);
  await recordAway(database, server, reason);
  return new McpServerAway(reason, { cause: error });
}

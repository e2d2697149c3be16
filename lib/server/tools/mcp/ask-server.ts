import "server-only";
import { SharedError } from "@/lib/schema/shared-error";
import type { McpDefinition } from "@/lib/schema/tools/mcp-server";
import type { Database } from "@/lib/server/platform/db/database";
import type { Services } from "@/lib/server/platform/services";
import type { McpConnection } from "./connect";
import { hashDefinition } from "./definitions";
import { findConnection, holderOf, McpNotConnected } from "./oauth/connection-row";
import { type McpLease, mcpPool, type PoolHolder } from "./pool";
import { failureMessage } from "./reading/failure-message";
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
export async function leaseConnection(services: Services, server: McpServerRow, userId: string): Promise<McpLease> {
  const holder = server.auth === "oauth" ? await findHolder(services.database, server, userId) : undefined;
  try {
    return await mcpPool(services).acquire(server, holder);
  } catch (error) {
    if (error instanceof McpNotConnected) throw error;
    throw await noteAway(services.database, server, error);
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
export async function inKnownSession<T>(
  services: Services,
  server: Pick<McpServerRow, "id">,
  use: () => Promise<T>,
): Promise<T> {
  for (let session = 1; ; session += 1) {
    try {
      return await use();
    } catch (error) {
      const isRefused = error instanceof McpSessionLost || error instanceof McpRevisionRefused;
      if (!isRefused || session === MAX_SESSIONS) throw error;
      mcpPool(services).dropIdle(server.id);
    }
  }
}

/** Requests the tools, of a server over HTTP in the best revision it speaks by now, and stores them. Throws McpServerAway, McpNotConnected. */
export async function askForTools(services: Services, server: McpServerRow, userId: string): Promise<void> {
  if (server.transport === "http") {
    mcpPool(services).dropIdle(server.id);
    forgetRevision(services, server);
  }
  try {
    await inKnownSession(services, server, () => askOnce(services, server, userId));
  } catch (error) {
    if (error instanceof McpNotConnected || error instanceof McpServerAway) throw error;
    throw await noteAway(services.database, server, error);
  }
}

async function askOnce(services: Services, server: McpServerRow, userId: string): Promise<void> {
  const { database } = services;
  const { connection, release } = await leaseConnection(services, server, userId);
  try {
    connection.takeToolsChanged();
    const tools = await connection.listTools();
    if (await isBetterInEarlier(services, server, connection, tools)) throw connection.fallBack(new Error(WORSE_TOOLS));
    const facts = await connection.facts();
    await recordDefinitions(database, server, { tools, facts });
  } catch (error) {
    await connection.close();
    throw error;
  } finally {
    release();
  }
}

const WORSE_TOOLS = "The server has fewer tools in this revision of the protocol than in one before, or other ones.";
const COMPARED_WITHIN_MS = 5_000;

type Tools = ReadonlyMap<string, McpDefinition>;

/**
 * Whether a server that speaks both has tools in an earlier revision that it lacks in the current one, or describes one
 * there as it was accepted and here otherwise. Programs are not started a second time for that.
 */
async function isBetterInEarlier(
  services: Services,
  server: McpServerRow,
  { canFallBack, holder }: McpConnection,
  tools: Tools,
): Promise<boolean> {
  if (!canFallBack || server.transport === "stdio") return false;
  const others = await toolsInEarlier(services, server, holder);
  if (others === null) return false;
  const known = await services.database.mcpTool.findMany({ where: { serverId: server.id, pinnedHash: { not: null } } });
  const keeps = (given: Tools, name: string, pinnedHash: string | null) => {
    const definition = given.get(name);
    return definition !== undefined && hashDefinition(definition) === pinnedHash;
  };
  const isLost = [...others.keys()].some((name) => !tools.has(name));
  return (
    isLost || known.some(({ name, pinnedHash }) => keeps(others, name, pinnedHash) && !keeps(tools, name, pinnedHash))
  );
}

/** Null for a server that does not speak any. */
async function toolsInEarlier(services: Services, server: McpServerRow, holder: string | null): Promise<Tools | null> {
  const { connectInEarlier } = await import("./connect");
  try {
    const earlier = await connectInEarlier(services, server, holder, COMPARED_WITHIN_MS);
    try {
      return await earlier.listTools(AbortSignal.timeout(COMPARED_WITHIN_MS));
    } finally {
      await earlier.close();
    }
  } catch {
    return null;
  }
}

export async function noteAway(database: Database, server: McpServerRow, error: unknown): Promise<McpServerAway> {
  const reason = failureMessage(error);
  await recordAway(database, server, reason);
  return new McpServerAway(reason, { cause: error });
}

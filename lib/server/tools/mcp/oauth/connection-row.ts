import "server-only";
import { z } from "zod";
import { SharedError } from "@/lib/schema/shared-error";
import type { Database } from "@/lib/server/platform/db/database";
import { mcpConnectionPurpose, SecretUnreadable, secretBox } from "@/lib/server/platform/secrets/secrets";
import type { McpServerRow } from "@/lib/server/tools/mcp/server-row";

export type McpConnectionRow = NonNullable<Awaited<ReturnType<Database["mcpConnection"]["findFirst"]>>>;

/** The holder of shared tokens, which an administrator has connected. Other holders are user ids. */
export const SHARED = "shared";

/** The holder of the tokens used by this user's calls. */
export function holderOf({ scope }: Pick<McpServerRow, "scope">, userId: string): string {
  return scope === "per_user" ? userId : SHARED;
}

const Client = z.looseObject({ client_id: z.string(), client_secret: z.string().optional() });
/**
 * The endpoint that exchanges codes and renews tokens, and the client to use. `metadata` is the server's own
 * description.
 */
export const Authority = z.object({
  url: z.string(),
  metadata: z.looseObject({}).nullable(),
  resource: z.string().nullable(),
  client: Client,
});
export type Authority = z.infer<typeof Authority>;

const Tokens = z.looseObject({ access_token: z.string(), refresh_token: z.string().optional() });

const Sealed = z.object({ authority: Authority, tokens: Tokens });
export type ConnectionSecrets = z.infer<typeof Sealed>;

type ConnectionKey = Pick<McpConnectionRow, "serverId" | "holder">;

export function sealConnection({ serverId, holder }: ConnectionKey, secrets: ConnectionSecrets): string {
  return secretBox().encrypt(JSON.stringify(secrets), mcpConnectionPurpose(serverId, holder));
}

/** Null if no listed secret can decrypt it. */
export function openConnection({ serverId, holder, sealed }: McpConnectionRow): ConnectionSecrets | null {
  try {
    return Sealed.parse(JSON.parse(secretBox().decrypt(sealed, mcpConnectionPurpose(serverId, holder))));
  } catch (error) {
    if (error instanceof SecretUnreadable) return null;
    throw error;
  }
}

export function findConnection(
  database: Database,
  { id }: Pick<McpServerRow, "id">,
  holder: string,
): Promise<McpConnectionRow | null> {
  return database.mcpConnection.findUnique({ where: { serverId_holder: { serverId: id, holder } } });
}

/** The holder is not connected, or the server now refuses the tokens. The text is meant for models and people. */
export class McpNotConnected extends SharedError {
  static override readonly kind = "McpNotConnected";
  readonly serverId: string;
  readonly holder: string;
  /** When the refused connection was created; null if there was none. */
  readonly lostSince: Date | null;

  constructor(serverId: string, holder: string, row: Pick<McpConnectionRow, "connectedAt"> | null) {
    super(notConnectedText(serverId, holder === SHARED, row !== null));
    this.serverId = serverId;
    this.holder = holder;
    this.lostSince = row?.connectedAt ?? null;
  }
}

function notConnectedText(serverId: string, isShared: boolean, wasConnected: boolean): string {
  if (isShared) {
    const what = wasConnected ? "no longer accepts the connection of this installation" : "is not connected yet";
    return `The MCP server ${serverId} ${what}. An administrator can connect it under Tools, MCP. Continue without it, or tell the user.`;
  }
  const what = wasConnected
    ? `The MCP server ${serverId} no longer accepts the user's connection.`
    : `The user is not connected to the MCP server ${serverId}.`;
  return `${what} Ask the user to connect under Inbox, Connections, and to say when that is done.`;
}

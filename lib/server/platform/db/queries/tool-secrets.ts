import type { Database } from "@/lib/server/platform/db/database";

/** A stored secret with the key of its row. */
interface SealedSecret {
  readonly key: string;
  readonly sealed: string;
}

/** A table whose rows may contain a secret. */
export interface SecretColumn {
  readonly table: string;
  readonly key: string;
  readonly column: string;
}

/** The secrets of registered tools, by name. */
export const TOOL_SECRETS: SecretColumn = { table: "http_tool", key: "name", column: "secretEncrypted" };
/** The secrets of webhooks, by their own ids. */
export const WEBHOOK_SECRETS: SecretColumn = { table: "webhook_secret", key: "id", column: "sealed" };
/** The headers, variables and tokens of MCP servers, by id. */
export const MCP_SECRETS: SecretColumn = { table: "mcp_server", key: "id", column: "secretsEncrypted" };

/** The credentials of channels, by id. */
export const CHANNEL_SECRETS: SecretColumn = { table: "channel", key: "id", column: "credentials" };

/** The secrets of webhooks, each with its webhook. */
export function selectWebhookSecrets(database: Database): Promise<(SealedSecret & { readonly webhookId: string })[]> {
  return database.raw(`select "id" as "key", "webhookId", "sealed" from "webhook_secret"`);
}

export function selectSecrets(database: Database, { table, key, column }: SecretColumn): Promise<SealedSecret[]> {
  return database.raw<SealedSecret>(
    `select "${key}" as "key", "${column}" as "sealed" from "${table}" where "${column}" is not null`,
  );
}

/** Does nothing if the row's secret has changed since it was read. */
export async function replaceSecret(
  database: Database,
  { table, key, column }: SecretColumn,
  secret: SealedSecret,
  renewed: string,
): Promise<void> {
  const sql = `update "${table}" set "${column}" = $1 where "${key}" = $2 and "${column}" = $3`;
  await database.raw(sql, [renewed, secret.key, secret.sealed], "full");
}

interface ConnectionSecrets {
  readonly serverId: string;
  readonly holder: string;
  readonly sealed: string;
}

/** The encrypted tokens of the connections to MCP servers. */
export function selectMcpTokens(database: Database): Promise<ConnectionSecrets[]> {
  return database.raw<ConnectionSecrets>(`select "serverId", "holder", "sealed" from "mcp_connection"`);
}

/** Does nothing if the connection has other tokens by now. */
export async function replaceMcpTokens(
  database: Database,
  { serverId, holder, sealed }: ConnectionSecrets,
  renewed: string,
): Promise<void> {
  const sql = `update "mcp_connection" set "sealed" = $1 where "serverId" = $2 and "holder" = $3 and "sealed" = $4`;
  await database.raw(sql, [renewed, serverId, holder, sealed], "full");
}

import { sql } from "kysely";
import type { Database } from "@/lib/server/platform/db/database";
import { build, textStatement } from "@/lib/server/platform/db/kysely/build";

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
  return database.execute(build.selectFrom("webhook_secret").select(["id as key", "webhookId", "sealed"]));
}

export function selectSecrets(database: Database, { table, key, column }: SecretColumn): Promise<SealedSecret[]> {
  const sealed = sql.ref<string>(column);
  return database.execute(
    build
      .selectFrom(sql.table<object>(table).as("secret"))
      .select([sql.ref<string>(key).as("key"), sealed.as("sealed")])
      .where(sealed, "is not", null),
  );
}

/** Does nothing if the row's secret has changed since it was read. */
export async function replaceSecret(
  database: Database,
  { table, key, column }: SecretColumn,
  secret: SealedSecret,
  renewed: string,
): Promise<void> {
  const { ref } = sql;
  const update = sql`update ${sql.table(table)} set ${ref(column)} = ${renewed}
    where ${ref(key)} = ${secret.key} and ${ref(column)} = ${secret.sealed}`;
  await database.execute(textStatement(update), "full");
}

interface ConnectionSecrets {
  readonly serverId: string;
  readonly holder: string;
  readonly sealed: string;
}

/** The encrypted tokens of the connections to MCP servers. */
export function selectMcpTokens(database: Database): Promise<ConnectionSecrets[]> {
  return database.execute(build.selectFrom("mcp_connection").select(["serverId", "holder", "sealed"]));
}

/** Does nothing if the connection has other tokens by now. */
export async function replaceMcpTokens(
  database: Database,
  { serverId, holder, sealed }: ConnectionSecrets,
  renewed: string,
): Promise<void> {
  await database.execute(
    build
      .updateTable("mcp_connection")
      .set({ sealed: renewed })
      .where("serverId", "=", serverId)
      .where("holder", "=", holder)
      .where("sealed", "=", sealed),
    "full",
  );
}

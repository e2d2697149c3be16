import type { Database } from "@/lib/server/platform/db/database";

/** A stored secret with the key of its row. */
interface SealedSecret {
  readonly key: string;
  readonly sealed: string;
}

/** A table whose rows may have a secret. */
interface SecretColumn {
  readonly table: string;
  readonly key: string;
  readonly column: string;
}

/** The secrets of the registered tools, by name. */
export const TOOL_SECRETS: SecretColumn = { table: "http_tool", key: "name", column: "secretEncrypted" };
/** The headers, variables and tokens of the MCP servers, by id. */
export const MCP_SECRETS: SecretColumn = { table: "mcp_server", key: "id", column: "secretsEncrypted" };

export function selectSecrets(database: Database, { table, key, column }: SecretColumn): Promise<SealedSecret[]> {
  return database.raw<SealedSecret>(
    `select "${key}" as "key", "${column}" as "sealed" from "${table}" where "${column}" is not null`,
  );
}

/** Does nothing when the row's secret has changed since it was read. */
export async function replaceSecret(
  database: Database,
  { table, key, column }: SecretColumn,
  secret: SealedSecret,
  renewed: string,
): Promise<void> {
  const sql = `update "${table}" set "${column}" = $1 where "${key}" = $2 and "${column}" = $3`;
  await database.raw(sql, [renewed, secret.key, secret.sealed], "full");
}

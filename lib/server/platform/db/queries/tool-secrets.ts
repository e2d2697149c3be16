import type { Database } from "@/lib/server/platform/db/database";

interface ToolSecret {
  readonly name: string;
  readonly sealed: string;
}

/** The encrypted secrets of the registered tools. */
export function selectToolSecrets(database: Database): Promise<ToolSecret[]> {
  return database.raw<ToolSecret>(
    `select "name", "secretEncrypted" as "sealed" from "http_tool" where "secretEncrypted" is not null`,
  );
}

/** Does nothing when the tool has another secret by now. */
export async function replaceToolSecret(
  database: Database,
  { name, sealed }: ToolSecret,
  renewed: string,
): Promise<void> {
  const sql = `update "http_tool" set "secretEncrypted" = $1 where "name" = $2 and "secretEncrypted" = $3`;
  await database.raw(sql, [renewed, name, sealed], "full");
}

interface ServerSecrets {
  readonly id: string;
  readonly sealed: string;
}

/** The encrypted headers, variables and tokens of the MCP servers. */
export function selectMcpSecrets(database: Database): Promise<ServerSecrets[]> {
  return database.raw<ServerSecrets>(
    `select "id", "secretsEncrypted" as "sealed" from "mcp_server" where "secretsEncrypted" is not null`,
  );
}

/** Does nothing when the server has other secrets by now. */
export async function replaceMcpSecrets(
  database: Database,
  { id, sealed }: ServerSecrets,
  renewed: string,
): Promise<void> {
  const sql = `update "mcp_server" set "secretsEncrypted" = $1 where "id" = $2 and "secretsEncrypted" = $3`;
  await database.raw(sql, [renewed, id, sealed], "full");
}

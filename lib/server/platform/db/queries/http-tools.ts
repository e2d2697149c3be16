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

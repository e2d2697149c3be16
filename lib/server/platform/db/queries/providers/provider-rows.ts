import type { Database } from "@/lib/server/platform/db/database";

export interface ProviderKeyRow {
  readonly id: string;
  readonly kind: string;
  readonly name: string;
  readonly baseUrl: string | null;
  readonly keyEncrypted: string | null;
  readonly dialect: string;
  readonly models: string;
  readonly allowedRoles: string;
  readonly anyAgent: boolean | number;
}

/** Every provider that an administrator added, oldest first. Raw: each process reads them at startup. */
export function selectProviders(database: Database): Promise<ProviderKeyRow[]> {
  return database.raw<ProviderKeyRow>(
    `select "id", "kind", "name", "baseUrl", "keyEncrypted", "dialect", "models", "allowedRoles", "anyAgent" from "provider"
      order by "createdAt", "id"`,
  );
}

/** Does nothing if the provider has another key by now. */
export async function replaceProviderKey(
  database: Database,
  { id, sealed }: { readonly id: string; readonly sealed: string },
  renewed: string,
): Promise<void> {
  const sql = `update "provider" set "keyEncrypted" = $1 where "id" = $2 and "keyEncrypted" = $3`;
  await database.raw(sql, [renewed, id, sealed], "full");
}

/** The values of the existing settings, by key. */
export async function selectSettings(
  database: Database,
  keys: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const places = keys.map((_, index) => `$${index + 1}`).join(", ");
  const rows = await database.raw<{ key: string; value: string }>(
    `select "key", "value" from "setting" where "key" in (${places})`,
    keys,
  );
  return new Map(rows.map(({ key, value }) => [key, value]));
}

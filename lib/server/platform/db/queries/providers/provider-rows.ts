import type { Database } from "@/lib/server/platform/db/database";
import { build } from "@/lib/server/platform/db/kysely/build";

export interface ProviderKeyRow {
  readonly id: string;
  readonly kind: string;
  readonly name: string;
  readonly baseUrl: string | null;
  readonly keyEncrypted: string | null;
  readonly dialect: string;
  readonly models: string;
  readonly allowedRoles: string;
  readonly anyAgent: boolean;
}

/** Every provider that an administrator added, oldest first. Without Prisma: each process reads them at startup. */
export function selectProviders(database: Database): Promise<ProviderKeyRow[]> {
  return database.execute(
    build
      .selectFrom("provider")
      .select(["id", "kind", "name", "baseUrl", "keyEncrypted", "dialect", "models", "allowedRoles", "anyAgent"])
      .orderBy("createdAt")
      .orderBy("id"),
  );
}

/** Does nothing if the provider has another key by now. */
export async function replaceProviderKey(
  database: Database,
  { id, sealed }: { readonly id: string; readonly sealed: string },
  renewed: string,
): Promise<void> {
  const update = build.updateTable("provider").set({ keyEncrypted: renewed });
  await database.execute(update.where("id", "=", id).where("keyEncrypted", "=", sealed), "full");
}

/** The values of the existing settings, by key. */
export async function selectSettings(
  database: Database,
  keys: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const rows = await database.execute(build.selectFrom("setting").select(["key", "value"]).where("key", "in", keys));
  return new Map(rows.map(({ key, value }) => [key, value]));
}

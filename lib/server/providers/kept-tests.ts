import "server-only";
import { z } from "zod";
import { ProviderTest } from "@/lib/schema/provider";
import type { Database } from "@/lib/server/platform/db/database";
import { selectSettings } from "@/lib/server/platform/db/queries/providers/provider-rows";
import { upsertSetting } from "@/lib/server/platform/db/queries/settings";

const KeptTests = z.object({ last: ProviderTest.nullable(), lastFailure: ProviderTest.nullable() });
/** The latest test of a provider, and the latest failed one. */
export type KeptTests = z.infer<typeof KeptTests>;

/** The setting with a provider's tests; providers of the environment have them too. */
export const testsKey = (id: string) => `provider-tests:${id}`;

export async function loadTests(database: Database, ids: readonly string[]): Promise<ReadonlyMap<string, KeptTests>> {
  if (ids.length === 0) return new Map();
  const values = await selectSettings(database, ids.map(testsKey));
  const read = (id: string) => {
    const found = KeptTests.safeParse(JSON.parse(values.get(testsKey(id)) ?? "null"));
    return found.success ? [[id, found.data] as const] : [];
  };
  return new Map(ids.flatMap(read));
}

export async function keepTest(database: Database, id: string, test: ProviderTest): Promise<void> {
  const before = (await loadTests(database, [id])).get(id);
  const lastFailure = test.ok ? (before?.lastFailure ?? null) : test;
  const kept: KeptTests = { last: test, lastFailure };
  await upsertSetting(database, testsKey(id), JSON.stringify(kept));
}

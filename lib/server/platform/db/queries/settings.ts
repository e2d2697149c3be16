import type { Database } from "@/lib/server/platform/db/database";
import type { SqlStatement } from "@/lib/server/platform/db/sql-statement";

/** The value of a setting; raw, so that the start script need not wait for Prisma's query compiler. */
export async function selectSetting(database: Database, key: string): Promise<string | undefined> {
  const [row] = await database.raw<{ value: string }>(`select "value" from "setting" where "key" = $1`, [key]);
  return row?.value;
}

export async function upsertSetting(database: Database, key: string, value: string): Promise<void> {
  await database.rawTransaction([settingStatement(key, value)]);
}

/** Sets the setting if its value is still `from`; returns whether it was. */
export async function replaceSetting(
  database: Database,
  key: string,
  { from, to }: { readonly from: string; readonly to: string },
): Promise<boolean> {
  const rows = await database.raw(
    `update "setting" set "value" = $3, "updatedAt" = $4 where "key" = $1 and "value" = $2 returning "key"`,
    [key, from, to, new Date()],
  );
  return rows.length > 0;
}

export function settingStatement(key: string, value: string): SqlStatement {
  return {
    sql: `insert into "setting" ("key", "value", "updatedAt") values ($1, $2, $3)
      on conflict ("key") do update set "value" = excluded."value", "updatedAt" = excluded."updatedAt"`,
    parameters: [key, value, new Date()],
  };
}

/** The setting's value after the insert: the given one, unless it was set before. */
export async function settingOrInsert(database: Database, key: string, value: string): Promise<string | undefined> {
  await database.raw(
    `insert into "setting" ("key", "value", "updatedAt") values ($1, $2, $3) on conflict ("key") do nothing returning "key"`,
    [key, value, new Date()],
  );
  return selectSetting(database, key);
}

import type { Database } from "@/lib/server/platform/db/database";
import type { SqlStatement } from "@/lib/server/platform/db/sqlite-writer";

/** The value of a setting; raw, so that the start script need not wait for Prisma's query compiler. */
export async function selectSetting(database: Database, key: string): Promise<string | undefined> {
  const [row] = await database.raw<{ value: string }>(`select "value" from "setting" where "key" = $1`, [key]);
  return row?.value;
}

export async function upsertSetting(database: Database, key: string, value: string): Promise<void> {
  await database.rawTransaction([settingStatement(key, value)]);
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

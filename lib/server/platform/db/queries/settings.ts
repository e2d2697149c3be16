import type { Database } from "@/lib/server/platform/db/database";
import { build } from "@/lib/server/platform/db/kysely/build";
import { hotStatement, type PlaceFor } from "@/lib/server/platform/db/kysely/hot-statement";
import type { SqlStatement } from "@/lib/server/platform/db/sql-statement";

const settingValue = hotStatement((value: PlaceFor<{ key: string }>) =>
  build.selectFrom("setting").select("value").where("key", "=", value("key")),
);

/** The value of a setting; without Prisma, so that the start script need not wait for its query compiler. */
export async function selectSetting(database: Database, key: string): Promise<string | undefined> {
  const [row] = await database.execute(settingValue({ key }));
  return row?.value;
}

export async function upsertSetting(database: Database, key: string, value: string): Promise<void> {
  await database.runAll([settingStatement(key, value)]);
}

/** Sets the setting if its value is still `from`; returns whether it was. */
export async function replaceSetting(
  database: Database,
  key: string,
  { from, to }: { readonly from: string; readonly to: string },
): Promise<boolean> {
  const rows = await database.execute(
    build
      .updateTable("setting")
      .set({ value: to, updatedAt: new Date() })
      .where("key", "=", key)
      .where("value", "=", from)
      .returning("key"),
  );
  return rows.length > 0;
}

export function settingStatement(key: string, value: string): SqlStatement {
  return insert(key, value)
    .onConflict((conflict) =>
      conflict.column("key").doUpdateSet((eb) => ({
        value: eb.ref("excluded.value"),
        updatedAt: eb.ref("excluded.updatedAt"),
      })),
    )
    .compile();
}

/** The setting's value after the insert: the given one, unless it was set before. */
export async function settingOrInsert(database: Database, key: string, value: string): Promise<string | undefined> {
  await database.execute(insert(key, value).onConflict((conflict) => conflict.column("key").doNothing()));
  return selectSetting(database, key);
}

function insert(key: string, value: string) {
  return build.insertInto("setting").values({ key, value, updatedAt: new Date() });
}

import type { Database } from "@/lib/server/platform/db/database";
import { build } from "@/lib/server/platform/db/kysely/build";

interface FirstTime {
  readonly runId: string;
  readonly threadId: string;
}

/** The first to claim `key`: the given run and thread, unless others were earlier. */
export async function claimFirstTime(database: Database, key: string, { runId, threadId }: FirstTime) {
  await database.execute(
    build
      .insertInto("first_time")
      .values({ key, runId, threadId, createdAt: new Date() })
      .onConflict((conflict) => conflict.column("key").doNothing()),
  );
  return database.firstTime.findUniqueOrThrow({ where: { key } });
}

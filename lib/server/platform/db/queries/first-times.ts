import type { Database } from "@/lib/server/platform/db/database";

interface FirstTime {
  readonly runId: string;
  readonly threadId: string;
}

/** The first to claim `key`: the given run and thread, unless others were earlier. */
export async function claimFirstTime(database: Database, key: string, { runId, threadId }: FirstTime) {
  const sql = `insert into "first_time" ("key", "runId", "threadId", "createdAt") values ($1, $2, $3, $4)
    on conflict ("key") do nothing`;
  await database.raw(sql, [key, runId, threadId, new Date()]);
  return database.firstTime.findUniqueOrThrow({ where: { key } });
}

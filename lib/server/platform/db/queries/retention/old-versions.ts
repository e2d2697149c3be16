import type { Database } from "@/lib/server/platform/db/database";
import type { Pace } from "@/lib/server/platform/db/in-chunks";
import { deleteRows } from "./delete-rows";

const TABLES = ["file_version", "memory_version"] as const;

/** Those made before `$1` that are not the last of their path: numbering, and finding changes, go on from that one. */
const isOld = (table: string) => `"createdAt" < $1 and exists (select 1 from "${table}" n
  where n."workspaceId" = "${table}"."workspaceId" and n."path" = "${table}"."path" and n."version" > "${table}"."version")`;

/** How many versions of files `deleteVersionsBefore` would delete. */
export async function countFileVersionsBefore(database: Database, before: Date): Promise<number> {
  const sql = `select count(*) as "count" from "file_version" where ${isOld("file_version")}`;
  const [row] = await database.raw<{ count: number }>(sql, [before]);
  return Number(row?.count ?? 0);
}

/** Deletes earlier versions of files and of memory; their contents follow once nothing names them. Returns how many. */
export async function deleteVersionsBefore(database: Database, before: Date, pace: Pace): Promise<number> {
  let deleted = 0;
  for (const table of TABLES) {
    deleted += await deleteRows(database, { table, where: isOld(table), parameters: [before] }, pace);
  }
  return deleted;
}

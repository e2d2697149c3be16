import { type Expression, type SqlBool, sql } from "kysely";
import type { Database } from "@/lib/server/platform/db/database";
import type { Pace } from "@/lib/server/platform/db/in-chunks";
import { build, buildUntyped } from "@/lib/server/platform/db/kysely/build";
import { deleteRows, isBefore } from "./delete-rows";

const TABLES = ["file_version", "memory_version"] as const;

/** Those made before then that are not the last of their path: numbering, and finding changes, go on from that one. */
function areOld(table: (typeof TABLES)[number], before: Date): Expression<SqlBool> {
  const later = buildUntyped
    .selectFrom(`${table} as n`)
    .select("n.version")
    .whereRef("n.workspaceId", "=", sql.ref(`${table}.workspaceId`))
    .whereRef("n.path", "=", sql.ref(`${table}.path`))
    .whereRef("n.version", ">", sql.ref(`${table}.version`));
  return sql<SqlBool>`${isBefore("createdAt", before)} and exists ${later}`;
}

/** How many versions of files `deleteVersionsBefore` would delete. */
export async function countFileVersionsBefore(database: Database, before: Date): Promise<number> {
  const [row] = await database.execute(
    build
      .selectFrom("file_version")
      .select((eb) => eb.fn.countAll<number>().as("count"))
      .where(areOld("file_version", before)),
  );
  return row?.count ?? 0;
}

/** Deletes earlier versions of files and of memory; their contents follow once nothing names them. Returns how many. */
export async function deleteVersionsBefore(database: Database, before: Date, pace: Pace): Promise<number> {
  let deleted = 0;
  for (const table of TABLES) deleted += await deleteRows(database, { table, where: areOld(table, before) }, pace);
  return deleted;
}

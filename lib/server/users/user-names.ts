import "server-only";
import type { Database } from "@/lib/server/platform/db/database";

/** The display names of users by id; null and unknown ids are omitted. */
export async function userNames(database: Database, ids: readonly (string | null)[]): Promise<Map<string, string>> {
  const known = [...new Set(ids.filter((id) => id !== null))];
  if (known.length === 0) return new Map();
  const rows = await database.user.findMany({ where: { id: { in: known } }, select: { id: true, name: true } });
  return new Map(rows.map(({ id, name }) => [id, name]));
}

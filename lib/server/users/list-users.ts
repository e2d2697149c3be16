import "server-only";
import type { User } from "@/lib/schema/users/user";
import type { Database } from "@/lib/server/platform/db/database";
import { toUser, USER_FIELDS } from "./user-row";

/** People in order of creation, without the built-in user; `cursor` is the last id of the previous page. */
export async function listUsers(
  database: Database,
  limit: number,
  cursor?: string,
): Promise<{ users: User[]; nextCursor: string | null }> {
  const rows = await database.user.findMany({
    where: { isService: false, ...(cursor ? { id: { gt: cursor } } : {}) },
    orderBy: { id: "asc" },
    take: limit + 1,
    select: USER_FIELDS,
  });
  const users = rows.slice(0, limit).map(toUser);
  return { users, nextCursor: rows.length > limit ? (users.at(-1)?.id ?? null) : null };
}

/** One person; null if there is none or it is the built-in user. */
export async function getUser(database: Database, id: string): Promise<User | null> {
  const row = await database.user.findFirst({ where: { id, isService: false }, select: USER_FIELDS });
  return row ? toUser(row) : null;
}

import { sql } from "kysely";
import type { Database } from "@/lib/server/platform/db/database";
import { sqlTimestamp } from "@/lib/server/platform/db/dialect";
import { build } from "@/lib/server/platform/db/kysely/build";
import { hotStatement, type PlaceFor } from "@/lib/server/platform/db/kysely/hot-statement";
import { withDates } from "@/lib/server/platform/db/rows";

const validKey = hotStatement((value: PlaceFor<{ sha256: string; now: string }>) =>
  build
    .selectFrom("api_key as k")
    .innerJoin("user as u", "u.id", "k.userId")
    .select(["k.id", "k.scopes", "k.agents", "k.groupId", "k.lastUsedAt"])
    .select(["u.id as userId", "u.name", "u.email", "u.role", "u.groupRole"])
    .where("k.sha256", "=", value("sha256"))
    .where("k.revokedAt", "is", null)
    .where((eb) => eb.or([eb("k.expiresAt", "is", null), eb("k.expiresAt", ">", sql<string>`${value("now")}`)]))
    .where("u.deactivatedAt", "is", null),
);

/** A key that is valid now, with its owner; null for any other. */
export async function selectValidKey(database: Database, sha256: string) {
  const found = await database.execute(validKey({ sha256, now: sqlTimestamp(new Date()) }));
  const [row] = withDates(found, "lastUsedAt");
  if (!row) return null;
  const { userId, name, email, role, groupRole, ...key } = row;
  return { ...key, user: { id: userId, name, email, role, groupRole } };
}

import { sql } from "kysely";
import type { Database } from "@/lib/server/platform/db/database";
import { type Dialect, sqlTimestamp } from "@/lib/server/platform/db/dialect";
import { build } from "@/lib/server/platform/db/kysely/build";
import { hotStatement, hotStatements, type PlaceFor } from "@/lib/server/platform/db/kysely/hot-statement";
import { withDates } from "@/lib/server/platform/db/rows";

const PERSON = ["u.id as userId", "u.name", "u.email", "u.role", "u.groupRole"] as const;

const validKey = hotStatements((value: PlaceFor<{ sha256: string; now: string }>, dialect) =>
  build
    .selectFrom("api_key as k")
    .innerJoin("user as u", "u.id", "k.userId")
    .select(["k.id", "k.scopes", "k.agents", "k.groupId", "k.lastUsedAt"])
    .select((eb) =>
      eb
        .selectFrom("group_agent as g")
        .select(jsonTexts(dialect, "g.agentId").as("ids"))
        .whereRef("g.groupId", "=", "k.groupId")
        .as("groupAgents"),
    )
    .select(PERSON)
    .where("k.sha256", "=", value("sha256"))
    .where("k.revokedAt", "is", null)
    .where((eb) => eb.or([eb("k.expiresAt", "is", null), eb("k.expiresAt", ">", sql<string>`${value("now")}`)]))
    .where("u.deactivatedAt", "is", null),
);

/** The values of the column as a JSON array; without rows an empty one on SQLite, null on Postgres. */
function jsonTexts({ provider }: Dialect, column: string) {
  const collect = sql.raw(provider === "sqlite" ? "json_group_array" : "json_agg");
  return sql<string | null>`cast(${collect}(${sql.ref(column)}) as text)`;
}

/**
 * A key that is valid now, with its owner, and the agents of the group that it is limited to, as a JSON array; null for
 * any other.
 */
export async function selectValidKey(database: Database, sha256: string) {
  const found = await database.execute(validKey(database.dialect, { sha256, now: sqlTimestamp(new Date()) }));
  const [row] = withDates(found, "lastUsedAt");
  if (!row) return null;
  const { userId, name, email, role, groupRole, ...key } = row;
  return { ...key, user: { id: userId, name, email, role, groupRole } };
}

const validSession = hotStatement((value: PlaceFor<{ token: string; now: string }>) =>
  build
    .selectFrom("session as s")
    .innerJoin("user as u", "u.id", "s.userId")
    .select("s.id")
    .select(PERSON)
    .where("s.token", "=", value("token"))
    .where("s.expiresAt", ">", sql<string>`${value("now")}`)
    .where("u.deactivatedAt", "is", null)
    .where("u.isService", "=", sql.lit(false)),
);

/** A session that has not expired, with its person; null for any other, and for somebody who is deactivated. */
export async function selectValidSession(database: Database, token: string) {
  const [row] = await database.execute(validSession({ token, now: sqlTimestamp(new Date()) }));
  if (!row) return null;
  const { id, userId, ...person } = row;
  return { id, user: { id: userId, ...person } };
}

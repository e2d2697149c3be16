import { sql } from "kysely";
import type { Database } from "@/lib/server/platform/db/database";
import { type Dialect, sqlJson, sqlTimestamp } from "@/lib/server/platform/db/dialect";
import { build } from "@/lib/server/platform/db/kysely/build";
import { hotStatements, type PlaceFor } from "@/lib/server/platform/db/kysely/hot-statement";
import { boundJsonRows } from "@/lib/server/platform/db/kysely/json-rows";
import { withDates } from "@/lib/server/platform/db/rows";

const PERSON = ["u.id as userId", "u.name", "u.email", "u.role", "u.groupRole"] as const;

/** What a caller shows, as it is stored: JSON rows of several at once. */
interface Shown {
  readonly shown: string;
  readonly now: string;
}

const validKeys = hotStatements((value: PlaceFor<Shown>, dialect) =>
  build
    .selectFrom("api_key as k")
    .innerJoin(boundJsonRows(dialect, { id: "text" }, value("shown")).as("shown"), "shown.id", "k.sha256")
    .innerJoin("user as u", "u.id", "k.userId")
    .select(["k.sha256 as shownAs", "k.id", "k.scopes", "k.agents", "k.groupId", "k.lastUsedAt"])
    .select((eb) =>
      eb
        .selectFrom("group_agent as g")
        .select(jsonTexts(dialect, "g.agentId").as("ids"))
        .whereRef("g.groupId", "=", "k.groupId")
        .as("groupAgents"),
    )
    .select(PERSON)
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
 * The keys with these hashes that are valid now, by hash, each with its owner and the agents of the group that it is
 * limited to, as a JSON array.
 */
export async function selectValidKeys(database: Database, hashes: readonly string[]) {
  const found = await database.execute(validKeys(database.dialect, shown(hashes)));
  const rows = withDates(found, "lastUsedAt");
  return new Map(
    rows.map(({ shownAs, userId, name, email, role, groupRole, ...key }) => {
      return [shownAs, { ...key, user: { id: userId, name, email, role, groupRole } }];
    }),
  );
}

const validSessions = hotStatements((value: PlaceFor<Shown>, dialect) =>
  build
    .selectFrom("session as s")
    .innerJoin(boundJsonRows(dialect, { id: "text" }, value("shown")).as("shown"), "shown.id", "s.token")
    .innerJoin("user as u", "u.id", "s.userId")
    .select(["s.token as shownAs", "s.id"])
    .select(PERSON)
    .where("s.expiresAt", ">", sql<string>`${value("now")}`)
    .where("u.deactivatedAt", "is", null)
    .where("u.isService", "=", sql.lit(false)),
);

/** The sessions with these tokens that have not expired, by token, each with its person unless they are deactivated. */
export async function selectValidSessions(database: Database, tokens: readonly string[]) {
  const rows = await database.execute(validSessions(database.dialect, shown(tokens)));
  return new Map(rows.map(({ shownAs, id, userId, ...person }) => [shownAs, { id, user: { id: userId, ...person } }]));
}

function shown(values: readonly string[]): Shown {
  return { shown: sqlJson(values.map((id) => ({ id }))), now: sqlTimestamp(new Date()) };
}

import { type SqlBool, sql } from "kysely";
import type { Database } from "@/lib/server/platform/db/database";
import { sqlTimestamp } from "@/lib/server/platform/db/dialect";
import { build } from "@/lib/server/platform/db/kysely/build";
import { hotStatement, type PlaceFor } from "@/lib/server/platform/db/kysely/hot-statement";
import { type AgentAccess, isReachable, selectReachable } from "./agent-access";

const currentVersion = hotStatement((value: PlaceFor<{ agentId: string }>) =>
  build
    .selectFrom("agent as a")
    .select((eb) => [
      "a.currentVersionId",
      eb
        .exists(eb.selectFrom("group_agent as g").select("g.groupId").whereRef("g.agentId", "=", "a.id"))
        .as("isLimited"),
    ])
    .where("a.id", "=", value("agentId"))
    .where("a.deletedAt", "is", null),
);

/** Null for an unknown or deleted agent, and for one that can't be reached. */
export async function selectCurrentVersionId(
  database: Database,
  agentId: string,
  access: AgentAccess,
): Promise<string | null> {
  // Reachability is only queried for an agent in a group: planning that condition takes Postgres longer than all the
  // rest.
  const [agent] = await database.execute(currentVersion({ agentId }));
  const mustAsk = access.key !== undefined || (access.userId !== null && Boolean(agent?.isLimited));
  if (!agent || !mustAsk) return agent?.currentVersionId ?? null;
  const [reachable] = await selectReachable(database, [agentId], access);
  return reachable?.currentVersionId ?? null;
}

interface CurrentVersion {
  readonly agentId: string;
  readonly versionId: string;
}

/** For every agent, including deleted ones. */
export function selectCurrentVersions(database: Database): Promise<CurrentVersion[]> {
  return database.execute(
    build
      .selectFrom("agent")
      .select("id as agentId")
      .select((eb) => eb.ref("currentVersionId").$notNull().as("versionId"))
      .where("currentVersionId", "is not", null),
  );
}

/** The totals of an agent's runs of one kind in one day (UTC). */
export interface AgentDay {
  readonly agentId: string;
  readonly day: string;
  readonly runs: number;
  readonly failed: number;
  readonly costUsd: number;
  readonly unknownCosts: number;
}

/**
 * From `since` on, for all people or one; of replays only the cost counts. A day of an agent is there once with the runs that people or triggers
 * started, and once with those in which it was another agent's subagent. Runs of drafts are excluded.
 */
export async function selectAgentDays(database: Database, since: Date, ownerId: string | null): Promise<AgentDay[]> {
  const [roots, children] = await Promise.all([
    database.execute(agentDays(since, ownerId).where("r.depth", "=", sql.lit(0))),
    database.execute(agentDays(since, ownerId).where(isNamedChild)),
  ]);
  return [...roots, ...children];
}

/** Written as in `run_named_child_idx`. */
const isNamedChild = sql<SqlBool>`"r"."depth" > 0 and not "r"."isInline"`;

function agentDays(since: Date, ownerId: string | null) {
  const day = sql<string>`substr(cast("r"."createdAt" as text), 1, 10)`;
  const runs = build
    .selectFrom("agent as a")
    .innerJoin("run as r", "r.agentId", "a.id")
    .innerJoin("agent_version as v", "v.id", "r.agentVersionId")
    .select((eb) => {
      const own = eb.case().when("r.replayId", "is", null).then(eb.lit(1)).else(eb.lit(0)).end();
      const failed = eb
        .case()
        .when(eb.and([eb("r.replayId", "is", null), eb("r.status", "in", ["failed", "interrupted"])]))
        .then(eb.lit(1))
        .else(eb.lit(0))
        .end();
      const unknown = eb.case().when("r.costUsd", "is", null).then(eb.lit(1)).else(eb.lit(0)).end();
      return [
        "r.agentId",
        day.as("day"),
        eb.fn.sum<number>(own).as("runs"),
        eb.fn.sum<number>(failed).as("failed"),
        eb.fn.coalesce(eb.fn.sum<number>("r.costUsd"), eb.lit(0)).as("costUsd"),
        eb.fn.sum<number>(unknown).as("unknownCosts"),
      ];
    })
    .where("r.createdAt", ">=", sqlTimestamp(since))
    .where("v.number", "is not", null)
    .groupBy(["r.agentId", day]);
  return ownerId === null ? runs : runs.where("r.ownerId", "=", ownerId);
}

interface LastUse {
  readonly agentId: string;
  readonly traceId: string | null;
  /** Its latest run as a subagent. */
  readonly childRunId: string | null;
}

/** The latest run of each reachable agent, by all people or one, as far as traces are kept. */
export function selectLastUses(database: Database, ownerId: string | null, access: AgentAccess): Promise<LastUse[]> {
  return database.execute(
    build
      .selectFrom("agent as a")
      .select((eb) => {
        const traces = eb
          .selectFrom("trace as t")
          .select("t.id")
          .whereRef("t.agentId", "=", "a.id")
          .where("t.agentVersion", "<>", 0)
          .where("t.origin", "<>", "replay")
          .orderBy("t.startedAt", "desc")
          .limit(sql.lit(1));
        const children = eb
          .selectFrom("run as r")
          .select("r.id")
          .whereRef("r.agentId", "=", "a.id")
          .where(isNamedChild)
          .where("r.replayId", "is", null)
          .orderBy("r.createdAt", "desc")
          .limit(sql.lit(1));
        return [
          "a.id as agentId",
          (ownerId === null ? traces : traces.where("t.ownerId", "=", ownerId)).as("traceId"),
          (ownerId === null ? children : children.where("r.ownerId", "=", ownerId)).as("childRunId"),
        ];
      })
      .where("a.deletedAt", "is", null)
      .where(isReachable(access))
      .orderBy("a.id"),
  );
}

import type { Database } from "@/lib/server/platform/db/database";
import { type AgentAccess, reachableSql, selectReachable } from "./agent-access";

/** Null for an unknown or deleted agent, and for one that can't be reached. */
export async function selectCurrentVersionId(
  database: Database,
  agentId: string,
  access: AgentAccess,
): Promise<string | null> {
  // Reachability is only queried for an agent in a group: planning that condition takes Postgres longer than all the
  // rest.
  const [agent] = await database.raw<{ currentVersionId: string | null; isLimited: boolean | number }>(
    `select a."currentVersionId",
        exists (select 1 from "group_agent" g where g."agentId" = a."id") as "isLimited"
      from "agent" a where a."id" = $1 and a."deletedAt" is null`,
    [agentId],
  );
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
  return database.raw<CurrentVersion>(
    `select "id" as "agentId", "currentVersionId" as "versionId" from "agent" where "currentVersionId" is not null`,
  );
}

/** The totals of an agent's root runs in one day (UTC). */
export interface AgentDay {
  readonly agentId: string;
  readonly day: string;
  readonly runs: number;
  readonly failed: number;
  readonly costUsd: number;
  readonly unknownCosts: number;
}

/** From `since` on, for all people or one; through `run_root_created_idx`. Runs of drafts are excluded. */
export function selectAgentDays(database: Database, since: Date, ownerId: string | null): Promise<AgentDay[]> {
  const sql = `select r."agentId", substr(cast(r."createdAt" as text), 1, 10) as "day", cast(count(*) as integer) as "runs",
      cast(sum(case when r."status" in ('failed', 'interrupted') then 1 else 0 end) as integer) as "failed",
      coalesce(sum(r."costUsd"), 0) as "costUsd",
      cast(sum(case when r."costUsd" is null then 1 else 0 end) as integer) as "unknownCosts"
    from "run" r join "agent_version" v on v."id" = r."agentVersionId"
    where r."depth" = 0 and r."createdAt" >= $1 and v."number" is not null${ownerId === null ? "" : ` and r."ownerId" = $2`}
    group by r."agentId", substr(cast(r."createdAt" as text), 1, 10)`;
  return database.raw<AgentDay>(sql, ownerId === null ? [since] : [since, ownerId]);
}

interface LastUse {
  readonly agentId: string;
  readonly traceId: string | null;
}

/** The latest run of each reachable agent, by all people or one, as far as traces are kept. */
export function selectLastUses(database: Database, ownerId: string | null, access: AgentAccess): Promise<LastUse[]> {
  const reachable = reachableSql(access, ownerId === null ? 1 : 2);
  const sql = `select a."id" as "agentId", (
      select t."id" from "trace" t
      where t."agentId" = a."id" and t."agentVersion" <> 0${ownerId === null ? "" : ` and t."ownerId" = $1`}
      order by t."startedAt" desc limit 1) as "traceId"
    from "agent" a where a."deletedAt" is null${reachable.sql} order by a."id"`;
  return database.raw<LastUse>(sql, [...(ownerId === null ? [] : [ownerId]), ...reachable.values]);
}

import { sql } from "kysely";
import type { Database } from "@/lib/server/platform/db/database";
import { sqlTimestamp } from "@/lib/server/platform/db/dialect";
import { textStatement } from "@/lib/server/platform/db/kysely/build";
import { isHome } from "./problems";

export interface CallTimesScope {
  readonly agentId: string;
  readonly tool: string;
  readonly since: Date;
  /** Default: everybody's. */
  readonly ownerId?: string | undefined;
  /** The agents that a key is limited to, by the home of the trace. */
  readonly reach?: readonly string[] | undefined;
}

interface CallTimes {
  readonly calls: number;
  /** Than the time that was asked about. */
  readonly faster: number;
  readonly slower: number;
  /** Null without calls. */
  readonly p95Ms: number | null;
}

/** Where a time stands among the last `most` calls, through `call_took_idx`, which has all that is read. */
export async function selectCallTimes(
  database: Database,
  { agentId, tool, since, ownerId, reach }: CallTimesScope,
  { tookMs, most }: { readonly tookMs: number; readonly most: number },
): Promise<CallTimes> {
  const isOwn = ownerId === undefined ? sql`` : sql`and c."ownerId" = ${ownerId}`;
  const isWithin = reach ? sql`and c."traceId" in (select t."id" from "trace" t where ${isHome(reach)})` : sql``;
  const [found] = await database.readAside(
    textStatement(sql<CallTimes>`select count(*) as "calls",
        coalesce(sum(case when p."tookMs" < ${tookMs} then 1 else 0 end), 0) as "faster",
        coalesce(sum(case when p."tookMs" > ${tookMs} then 1 else 0 end), 0) as "slower",
        max(case when (p."place" - 1) * 100 < p."calls" * 95 then p."tookMs" end) as "p95Ms"
      from (select m."tookMs", row_number() over (order by m."tookMs") as "place", count(*) over () as "calls"
        from (select c."tookMs" from "call" c
          where c."agentId" = ${agentId} and c."tool" = ${tool} and c."startedAt" >= ${sqlTimestamp(since)}
            and c."tookMs" is not null ${isOwn} ${isWithin}
          order by c."startedAt" desc limit ${most}) m) p`),
  );
  const { calls = 0, faster = 0, slower = 0, p95Ms = null } = found ?? {};
  return {
    ...{ calls: Number(calls), faster: Number(faster), slower: Number(slower) },
    p95Ms: p95Ms === null ? null : Number(p95Ms),
  };
}

import { type Expression, type SqlBool, sql } from "kysely";

/**
 * `homeInReach` of platform/within-reach.ts as a condition on a thread, `thread` being its alias: a key that is limited
 * to some agents reaches the threads of those.
 */
export function homeInReach(reach: readonly string[] | undefined, thread: string): Expression<SqlBool> {
  if (!reach) return sql.lit(true);
  if (reach.length === 0) return sql.lit(false);
  const agentId = sql`coalesce(${sql.ref(`${thread}.homeAgentId`)}, ${sql.ref(`${thread}.agentId`)})`;
  return sql<SqlBool>`${agentId} in (${sql.join(reach)})`;
}

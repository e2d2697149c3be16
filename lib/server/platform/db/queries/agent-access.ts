import { hasAdminScope, type Viewer } from "@/lib/schema/users/user";
import type { Database } from "@/lib/server/platform/db/database";
import type { SqlValue } from "@/lib/server/platform/db/dialect";

/**
 * For whom an agent must be reachable. An agent in a group is visible only to the people in one of its groups, and to
 * administrators; for everybody else it does not exist.
 */
export interface AgentAccess {
  /** The user whose groups count; null if no group limits anything. */
  readonly userId: string | null;
  /** Reaches every agent if the user is an administrator: for callers that only know the id of a run's owner. */
  readonly asRole?: true;
  /** The agents that the API key used is limited to. */
  readonly key?: readonly string[];
}

/** For the server itself, and for what only administrators may call. */
export const EVERY_AGENT: AgentAccess = { userId: null };

export type AgentViewer = Pick<Viewer, "id" | "scopes" | "reach">;

export function accessOf(viewer: AgentViewer): AgentAccess {
  return { userId: hasAdminScope(viewer) ? null : viewer.id, ...(viewer.reach ? { key: viewer.reach } : {}) };
}

/** The access of a run's owner, however the run was started. */
export function accessOfOwner(ownerId: string): AgentAccess {
  return { userId: ownerId, asRole: true };
}

/** A condition on `"agent" a`; its parameters begin at `$first`. */
export function reachableSql({ userId, asRole, key }: AgentAccess, first: number): { sql: string; values: SqlValue[] } {
  const values: SqlValue[] = [];
  const parameter = (value: SqlValue) => `$${first + values.push(value) - 1}`;
  const conditions: string[] = [];
  if (userId !== null) {
    const user = parameter(userId);
    const isAdmin = `exists (select 1 from "user" u where u."id" = ${user} and (u."role" = 'admin' or u."groupRole" = 'admin'))`;
    // Without a join, and one after the other: SQLite would prepare a join before it knows that no group has the agent.
    conditions.push(`case when not exists (select 1 from "group_agent" g where g."agentId" = a."id") then 1
      when exists (select 1 from "group_member" m where m."userId" = ${user}
        and m."groupId" in (select g."groupId" from "group_agent" g where g."agentId" = a."id")) then 1
      ${asRole ? `when ${isAdmin} then 1 ` : ""}else 0 end = 1`);
  }
  if (key) {
    conditions.push(key.length === 0 ? "1 = 0" : `a."id" in (${key.map(parameter).join(", ")})`);
  }
  return { sql: conditions.length === 0 ? "" : ` and ${conditions.join(" and ")}`, values };
}

/** The same as a Prisma condition, for lists; `asRole` has no effect there. */
export function reachableWhere({ userId, key }: AgentAccess) {
  const inOneOf = { groups: { some: { group: { members: { some: { userId: userId ?? "" } } } } } };
  const byPerson = userId === null ? [] : [{ OR: [{ groups: { none: {} } }, inOneOf] }];
  const byKey = key ? [{ id: { in: [...key] } }] : [];
  return { AND: [...byPerson, ...byKey] };
}

interface ReachableAgent {
  readonly id: string;
  readonly currentVersionId: string | null;
}

/** Those of `ids` that exist, are not deleted and can be reached. */
export async function selectReachable(
  database: Database,
  ids: readonly string[],
  access: AgentAccess,
): Promise<ReachableAgent[]> {
  if (ids.length === 0) return [];
  const { sql, values } = reachableSql(access, ids.length + 1);
  return database.raw<{ id: string; currentVersionId: string | null }>(
    `select a."id", a."currentVersionId" from "agent" a
      where a."id" in (${ids.map((_, index) => `$${index + 1}`).join(", ")}) and a."deletedAt" is null${sql}`,
    [...ids, ...values],
  );
}

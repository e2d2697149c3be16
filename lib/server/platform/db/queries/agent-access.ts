import { type Expression, expressionBuilder, type SqlBool } from "kysely";
import { hasAdminScope, type Viewer } from "@/lib/schema/users/user";
import type { Database } from "@/lib/server/platform/db/database";
import type { Tables } from "@/lib/server/platform/db/generated/tables";
import { build } from "@/lib/server/platform/db/kysely/build";

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

/** A condition on `agent as a`. */
export function isReachable({ userId, asRole, key }: AgentAccess): Expression<SqlBool> {
  const eb = expressionBuilder<Tables & { a: Tables["agent"] }, "a">();
  const conditions: Expression<SqlBool>[] = [];
  if (userId !== null) {
    const groups = eb.selectFrom("group_agent as g").whereRef("g.agentId", "=", "a.id");
    const member = eb.selectFrom("group_member as m").select("m.groupId").where("m.userId", "=", userId);
    const user = eb.selectFrom("user as u").select("u.id").where("u.id", "=", userId);
    // Without a join, and one after the other: SQLite would prepare a join before it knows that no group has the agent.
    const cases = eb
      .case()
      .when(eb.not(eb.exists(groups.select("g.groupId"))))
      .then(eb.lit(1))
      .when(eb.exists(member.where("m.groupId", "in", groups.select("g.groupId"))))
      .then(eb.lit(1));
    const isAdmin = eb.exists(user.where((u) => u.or([u("u.role", "=", "admin"), u("u.groupRole", "=", "admin")])));
    const all = asRole ? cases.when(isAdmin).then(eb.lit(1)) : cases;
    conditions.push(eb(all.else(eb.lit(0)).end(), "=", eb.lit(1)));
  }
  if (key) conditions.push(key.length === 0 ? eb.lit(false) : eb("a.id", "in", key));
  return eb.and(conditions);
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

/** Those of `ids` that exist, are not deleted and can be reached; also where no version is published yet. */
export async function selectReachable(
  database: Database,
  ids: readonly string[],
  access: AgentAccess,
): Promise<ReachableAgent[]> {
  if (ids.length === 0) return [];
  return database.execute(
    build
      .selectFrom("agent as a")
      .select(["a.id", "a.currentVersionId"])
      .where("a.id", "in", ids)
      .where("a.deletedAt", "is", null)
      .where(isReachable(access)),
  );
}

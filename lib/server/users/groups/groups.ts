import "server-only";
import { AppError, refuseFields } from "@/lib/schema/app-error";
import type { CreateGroupBody, Group, UpdateGroupBody } from "@/lib/schema/users/group";
import { Role, type Viewer } from "@/lib/schema/users/user";
import { resumeRunsOfBudget } from "@/lib/server/engine/asks/resume-budget-asks";
import { auditColumns, changedFields } from "@/lib/server/platform/audit-columns";
import { createId } from "@/lib/server/platform/create-id";
import type { Database } from "@/lib/server/platform/db/database";
import { isTaken } from "@/lib/server/platform/db/errors";
import { announceStoppedBoards } from "@/lib/server/users/role-endings";
import { changeMemberships, groupRoleUpdates } from "./group-roles";

const FIELDS = {
  id: true,
  name: true,
  roleFloor: true,
  createdAt: true,
  members: { select: { userId: true }, orderBy: { userId: "asc" } },
  agents: { select: { agentId: true }, orderBy: { agentId: "asc" } },
} as const;

/** In order of creation; `cursor` is the last id of the previous page. */
export async function listGroups(
  database: Database,
  limit: number,
  cursor?: string,
): Promise<{ groups: Group[]; nextCursor: string | null }> {
  const rows = await database.group.findMany({
    where: cursor === undefined ? {} : { id: { gt: cursor } },
    orderBy: { id: "asc" },
    take: limit + 1,
    select: FIELDS,
  });
  const groups = rows.slice(0, limit).map(toGroup);
  return { groups, nextCursor: rows.length > limit ? (groups.at(-1)?.id ?? null) : null };
}

/** Throws `not_found`. */
export async function getGroup(database: Database, id: string): Promise<Group> {
  const row = await database.group.findUnique({ where: { id }, select: FIELDS });
  if (!row) throw noGroup();
  return toGroup(row);
}

/**
 * From then on only the group's members reach its agents. Throws `invalid_input` for unknown ids, `conflict` for a
 * taken name.
 */
export function createGroup(database: Database, body: CreateGroupBody, viewer: Viewer): Promise<Group> {
  const wanted = { ...body, members: unique(body.members), agents: unique(body.agents) };
  return changeMemberships(database, async () => {
    await requireKnown(database, wanted);
    const id = createId("grp");
    const { name, roleFloor, members, agents } = wanted;
    const record = { actorId: viewer.id, action: "group.created", target: `group:${id}`, after: sidesOf(wanted) };
    const roles = await groupRoleUpdates(database, members, { groupId: id, roleFloor, members }, new Date());
    await orTaken(
      database.$transaction([
        database.group.create({ data: { id, name, roleFloor, createdById: viewer.id } }),
        database.groupMember.createMany({ data: members.map((userId) => ({ groupId: id, userId })) }),
        database.groupAgent.createMany({ data: agents.map((agentId) => ({ groupId: id, agentId })) }),
        database.auditEntry.create({ data: auditColumns(record) }),
        ...roles,
      ]),
    );
    return getGroup(database, id);
  });
}

/**
 * Changes the given fields; a list is replaced. Throws as `createGroup` does, and `conflict` if an agent would leave
 * its last group, so that everybody could reach it, unless `open` agrees.
 */
export function updateGroup(
  database: Database,
  id: string,
  { open = false, ...change }: UpdateGroupBody,
  viewer: Viewer,
): Promise<Group> {
  return changeMemberships(database, async () => {
    const before = await getGroup(database, id);
    const after = {
      name: change.name ?? before.name,
      members: unique(change.members ?? before.members),
      agents: unique(change.agents ?? before.agents),
      roleFloor: change.roleFloor === undefined ? before.roleFloor : change.roleFloor,
    };
    const leaving = before.members.filter((userId) => !after.members.includes(userId));
    const joining = after.members.filter((userId) => !before.members.includes(userId));
    const added = after.agents.filter((agentId) => !before.agents.includes(agentId));
    const removed = before.agents.filter((agentId) => !after.agents.includes(agentId));
    await requireKnown(database, { members: joining, agents: added });
    const opened = await requireOpen(database, id, removed, open);
    const now = new Date();
    const people = [...before.members, ...joining];
    const roles = await groupRoleUpdates(database, people, { groupId: id, ...after }, now);
    const record = {
      actorId: viewer.id,
      action: "group.changed",
      target: `group:${id}`,
      ...changedFields(sidesOf(before), sidesOf(after)),
      details: opened.length === 0 ? {} : { opened },
    };
    await orTaken(
      database.$transaction([
        database.group.update({ where: { id }, data: { name: after.name, roleFloor: after.roleFloor } }),
        database.groupMember.deleteMany({ where: { groupId: id, userId: { in: leaving } } }),
        database.groupMember.createMany({ data: joining.map((userId) => ({ groupId: id, userId })) }),
        database.groupAgent.deleteMany({ where: { groupId: id, agentId: { in: removed } } }),
        database.groupAgent.createMany({ data: added.map((agentId) => ({ groupId: id, agentId })) }),
        database.auditEntry.create({ data: auditColumns(record) }),
        ...roles,
      ]),
    );
    await announceStoppedBoards(database, people, now);
    return getGroup(database, id);
  });
}

/**
 * Also deletes the group's budgets, and runs that wait for them continue. Throws `conflict` naming the agents that
 * everybody could reach from then on, unless `open` agrees.
 */
export async function deleteGroup(database: Database, id: string, open: boolean, viewer: Viewer): Promise<void> {
  const budgets = await changeMemberships(database, async () => {
    const before = await getGroup(database, id);
    const opened = await requireOpen(database, id, before.agents, open);
    const now = new Date();
    const roles = await groupRoleUpdates(database, before.members, { groupId: id, roleFloor: null, members: [] }, now);
    const limiting = await database.budget.findMany({
      where: { scope: "group", scopeId: id },
      select: { id: true },
    });
    const budgetIds = limiting.map((budget) => budget.id);
    const record = {
      actorId: viewer.id,
      action: "group.deleted",
      target: `group:${id}`,
      before: sidesOf(before),
      details: { ...(opened.length === 0 ? {} : { opened }), ...(budgetIds.length === 0 ? {} : { budgetIds }) },
    };
    await database.$transaction([
      database.group.delete({ where: { id } }),
      database.budget.deleteMany({ where: { id: { in: budgetIds } } }),
      database.auditEntry.create({ data: auditColumns(record) }),
      ...roles,
    ]);
    await announceStoppedBoards(database, before.members, now);
    return budgetIds;
  });
  for (const budgetId of budgets) {
    await resumeRunsOfBudget(database, budgetId, { id: viewer.id, name: viewer.name, via: "page" });
  }
  await database.budgetAccount.deleteMany({ where: { budgetId: { in: budgets } } });
}

/** Throws `invalid_input` for a group that does not exist; `path` is the field that names the groups. */
export async function requireGroups(database: Database, ids: readonly string[], path: string): Promise<void> {
  const known = await database.group.findMany({ where: { id: { in: [...ids] } }, select: { id: true } });
  refuseUnknown(path, ids, known, "There is no such group.");
}

/** The agents that would no longer be in any group, including deleted ones, because those may be restored. */
async function requireOpen(
  database: Database,
  groupId: string,
  leaving: readonly string[],
  open: boolean,
): Promise<string[]> {
  if (leaving.length === 0) return [];
  const memberships = await database.groupAgent.findMany({
    where: { agentId: { in: [...leaving] } },
    select: { agentId: true, groupId: true },
  });
  const opened = leaving.filter(
    (agentId) => !memberships.some((other) => other.agentId === agentId && other.groupId !== groupId),
  );
  if (opened.length === 0 || open) return opened;
  throw new AppError(
    "conflict",
    `This is the last group of ${opened.join(", ")}: everybody could use ${opened.length === 1 ? "it" : "them"}. Put ${opened.length === 1 ? "it" : "them"} into another group first, or send open: true.`,
    { details: { agents: opened } },
  );
}

async function requireKnown(
  database: Database,
  { members, agents }: { members: readonly string[]; agents: readonly string[] },
) {
  const [users, known] = await Promise.all([
    database.user.findMany({ where: { id: { in: [...members] }, isService: false }, select: { id: true } }),
    database.agent.findMany({ where: { id: { in: [...agents] }, deletedAt: null }, select: { id: true } }),
  ]);
  refuseUnknown("members", members, users, "There is no such user.");
  refuseUnknown("agents", agents, known, "There is no such agent.");
}

function refuseUnknown(path: string, ids: readonly string[], known: readonly { id: string }[], message: string): void {
  const details = ids.flatMap((id, index) =>
    known.some((row) => row.id === id) ? [] : [{ path: `${path}.${index}`, message }],
  );
  refuseFields(details);
}

async function orTaken(work: Promise<unknown>): Promise<void> {
  try {
    await work;
  } catch (error) {
    if (!isTaken(error)) throw error;
    const message = "There is a group with this name already.";
    throw new AppError("conflict", message, { details: [{ path: "name", message }] });
  }
}

interface GroupRow {
  readonly id: string;
  readonly name: string;
  readonly roleFloor: string | null;
  readonly createdAt: Date;
  readonly members: readonly { readonly userId: string }[];
  readonly agents: readonly { readonly agentId: string }[];
}

function toGroup({ id, name, roleFloor, createdAt, members, agents }: GroupRow): Group {
  return {
    id,
    name,
    members: members.map(({ userId }) => userId),
    agents: agents.map(({ agentId }) => agentId),
    roleFloor: Role.nullable().parse(roleFloor),
    createdAt: createdAt.toISOString(),
  };
}

function sidesOf({ name, members, agents, roleFloor }: Pick<Group, "name" | "members" | "agents" | "roleFloor">) {
  return { name, members, agents, roleFloor };
}

function unique(ids: readonly string[]): string[] {
  return [...new Set(ids)];
}

function noGroup(): AppError {
  return new AppError("not_found", "There is no such group.");
}

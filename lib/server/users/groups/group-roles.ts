import "server-only";
import { effectiveRole, Role } from "@/lib/schema/users/user";
import { budgetsChanged } from "@/lib/server/engine/budgets/budget-rows";
import type { Database, PrismaQuery } from "@/lib/server/platform/db/database";
import { announceStoppedBoards, endingQueries } from "@/lib/server/users/role-endings";

interface GroupAfter {
  readonly groupId: string;
  readonly roleFloor: Role | null;
  readonly members: readonly string[];
}

/**
 * Serialises changes of groups: what a person's groups grant is read before it is written. Afterwards every process
 * reads again whom group budgets limit.
 */
export async function changeMemberships<Result>(database: Database, work: () => Promise<Result>): Promise<Result> {
  const result = await database.exclusive("groups", work);
  budgetsChanged();
  return result;
}

/**
 * Updates, for the transaction that changes one group, what these people's groups grant them afterwards, and ends what
 * their new role could no longer make.
 */
export async function groupRoleUpdates(
  database: Database,
  userIds: readonly string[],
  after: GroupAfter,
  now: Date,
): Promise<PrismaQuery[]> {
  // Prisma splits a long list only where nothing beside it is negated.
  const memberships = await database.groupMember.findMany({
    where: { userId: { in: [...userIds] } },
    select: { userId: true, groupId: true, group: { select: { roleFloor: true } } },
  });
  const others = memberships.filter(({ groupId }) => groupId !== after.groupId);
  const given = new Map<string, Role | null>(userIds.map((userId) => [userId, null]));
  const give = (userId: string, floor: Role | null) => {
    if (floor !== null) given.set(userId, effectiveRole(floor, given.get(userId) ?? null));
  };
  for (const { userId, group } of others) give(userId, Role.nullable().parse(group.roleFloor));
  for (const userId of after.members) give(userId, after.roleFloor);
  const updates = [...Map.groupBy(given, ([, role]) => role)].map(([groupRole, people]) =>
    database.user.updateMany({ where: { id: { in: people.map(([id]) => id) } }, data: { groupRole } }),
  );
  return [...updates, ...(await endingsOf(database, given, now))];
}

/** For people whose groups give them another role from now on. */
async function endingsOf(
  database: Database,
  given: ReadonlyMap<string, Role | null>,
  now: Date,
): Promise<PrismaQuery[]> {
  const people = await database.user.findMany({
    where: { id: { in: [...given.keys()] }, deactivatedAt: null },
    select: { id: true, role: true, groupRole: true },
  });
  return people.flatMap(({ id: userId, role, groupRole }) => {
    const own = Role.parse(role);
    const before = effectiveRole(own, Role.nullable().parse(groupRole));
    return endingQueries(database, { userId, before, after: effectiveRole(own, given.get(userId) ?? null) }, now);
  });
}

/** Those of the groups that still exist, for somebody who joins them all at once, and the role that they grant. */
export async function groupsToJoin(database: Database, groupIds: readonly string[]) {
  if (groupIds.length === 0) return { ids: [], groupRole: null };
  const groups = await database.group.findMany({
    where: { id: { in: [...groupIds] } },
    select: { id: true, roleFloor: true },
  });
  return { ids: groups.map(({ id }) => id), groupRole: highestRole(groups) };
}

/** Adds a person who is in no group yet to these, for the transaction that creates the person. */
export function joinQueries(
  database: Database,
  userId: string,
  { ids, groupRole }: Awaited<ReturnType<typeof groupsToJoin>>,
) {
  if (ids.length === 0) return [];
  return [
    database.groupMember.createMany({ data: ids.map((groupId) => ({ groupId, userId })) }),
    database.user.updateMany({ where: { id: userId }, data: { groupRole } }),
  ];
}

function highestRole(groups: readonly { readonly roleFloor: string | null }[]): Role | null {
  return groups
    .flatMap(({ roleFloor }) => Role.nullable().parse(roleFloor) ?? [])
    .reduce<Role | null>((highest, floor) => effectiveRole(floor, highest), null);
}

interface OidcGroups {
  /** The names of all the person's groups. */
  readonly before: readonly string[];
  readonly after: readonly string[];
}

/**
 * Sets the groups that the identity provider assigns to a person: groups it no longer assigns are left, groups that
 * somebody here assigned are kept. The result of `others` is stored in the same transaction.
 */
export function setOidcGroups(
  database: Database,
  userId: string,
  groupIds: readonly string[],
  others: (groups: OidcGroups) => readonly PrismaQuery[],
): Promise<void> {
  return changeMemberships(database, async () => {
    const now = new Date();
    const known = await database.group.findMany({
      where: { OR: [{ id: { in: [...groupIds] } }, { members: { some: { userId } } }] },
      select: { id: true, name: true, roleFloor: true, members: { where: { userId }, select: { fromOidc: true } } },
      orderBy: { name: "asc" },
    });
    const isMember = ({ members }: (typeof known)[number]) => members.length > 0;
    const leaving = known.filter((group) => group.members[0]?.fromOidc === true && !groupIds.includes(group.id));
    const joining = known.filter((group) => !isMember(group));
    const staying = known.filter((group) => !leaving.includes(group));
    const moves =
      leaving.length + joining.length === 0
        ? []
        : [
            database.groupMember.deleteMany({
              where: { userId, groupId: { in: leaving.map(({ id }) => id) } },
            }),
            database.groupMember.createMany({
              data: joining.map(({ id: groupId }) => ({ groupId, userId, fromOidc: true })),
            }),
            database.user.updateMany({ where: { id: userId }, data: { groupRole: highestRole(staying) } }),
            ...(await endingsOf(database, new Map([[userId, highestRole(staying)]]), now)),
          ];
    const names = (groups: typeof known) => groups.map(({ name }) => name);
    await database.$transaction([
      ...moves,
      ...others({ before: names(known.filter(isMember)), after: names(staying) }),
    ]);
    await announceStoppedBoards(database, [userId], now);
  });
}

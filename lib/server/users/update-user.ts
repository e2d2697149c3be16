import "server-only";
import { AppError } from "@/lib/schema/app-error";
import { effectiveRole, type UpdateUserBody, type User, type Viewer } from "@/lib/schema/users/user";
import { auditQuery } from "@/lib/server/audit/audit-log";
import { changedFields } from "@/lib/server/platform/audit-columns";
import type { Database } from "@/lib/server/platform/db/database";
import type { Services } from "@/lib/server/platform/services";
import { accessEnded } from "./access-ended";
import { hashPassword } from "./create-user";
import { getUser } from "./list-users";
import { announceStoppedBoards, endingQueries } from "./role-endings";

/**
 * Changes a person. A new password or a deactivation ends every session and its open streams at once; a deactivation
 * also revokes the keys; what they handed out ends as far as their new role could no longer make it, and their boards
 * stop with their triggers. Throws `not_found`, and `conflict` if no administrator would be left.
 */
export async function updateUser(
  services: Services,
  id: string,
  change: UpdateUserBody,
  viewer: Viewer,
): Promise<User> {
  const { database } = services;
  const before = await getUser(database, id);
  if (!before) throw new AppError("not_found", "There is no such user.");
  if (before.erasedAt !== null)
    throw new AppError("conflict", "This user was erased. Invite the person again instead.");
  if (losesAdmin(change)) await refuseLastAdmin(database, before);
  const deactivatedAt = deactivationDate(change.deactivated);
  const password = change.password === undefined ? [] : [await passwordQuery(services, id, change.password)];
  const endsSessions = change.deactivated === true || change.password !== undefined;
  const sides = { name: change.name ?? before.name, role: change.role ?? before.role };
  const deactivated = change.deactivated ?? before.deactivatedAt !== null;
  const now = new Date();
  await database.$transaction([
    ...password.map((store) => store()),
    database.user.update({ where: { id }, data: { name: change.name, role: change.role, deactivatedAt } }),
    ...(change.deactivated === true ? [revokeKeysQuery(database, id)] : []),
    ...endingQueries(database, rolesAround(before, change), now),
    ...(endsSessions ? [database.session.deleteMany({ where: { userId: id } })] : []),
    auditQuery(services, {
      actorId: viewer.id,
      action: "user.changed",
      target: `user:${id}`,
      ...changedFields(sidesOf(before), { ...sides, deactivated }),
      details: change.password === undefined ? {} : { passwordChanged: true },
    }),
  ]);
  if (endsSessions) accessEnded(services);
  await announceStoppedBoards(database, [id], now);
  const after = await getUser(database, id);
  if (!after) throw new AppError("not_found", "There is no such user.");
  return after;
}

/** Their role with what their groups give; null once they are deactivated. */
function rolesAround(before: User, { role, deactivated }: UpdateUserBody) {
  const { id: userId, groupRole } = before;
  const wasOut = before.deactivatedAt !== null;
  return {
    userId,
    before: wasOut ? null : effectiveRole(before.role, groupRole),
    after: (deactivated ?? wasOut) ? null : effectiveRole(role ?? before.role, groupRole),
  };
}

function sidesOf({ name, role, deactivatedAt }: User) {
  return { name, role, deactivated: deactivatedAt !== null };
}

/** Removes a person's access for good and keeps what they own: threads, runs and traces stay readable. */
export async function deactivateUser(services: Services, id: string, viewer: Viewer): Promise<void> {
  await updateUser(services, id, { deactivated: true }, viewer);
}

function losesAdmin(change: UpdateUserBody): boolean {
  return (change.role !== undefined && change.role !== "admin") || change.deactivated === true;
}

function deactivationDate(deactivated: boolean | undefined): Date | null | undefined {
  if (deactivated === undefined) return undefined;
  return deactivated ? new Date() : null;
}

/** Throws `conflict` if no other administrator is active. */
export async function refuseLastAdmin(database: Database, user: User): Promise<void> {
  if (user.role !== "admin" || user.deactivatedAt !== null) return;
  const others = await database.user.count({
    where: { role: "admin", isService: false, deactivatedAt: null, id: { not: user.id } },
  });
  if (others === 0)
    throw new AppError("conflict", "This is the last administrator. Make another user an administrator first.");
}

/** Sets the password, for a transaction. Throws `conflict` for a person who does not sign in with a password. */
export async function passwordQuery(services: Services, userId: string, password: string) {
  const account = { userId, providerId: "credential" };
  if ((await services.database.account.count({ where: account })) === 0) {
    throw new AppError("conflict", "This user does not sign in with a password.");
  }
  const data = { password: await hashPassword(services, password) };
  // A function, because a Prisma query runs as soon as it is awaited.
  return () => services.database.account.updateMany({ where: account, data });
}

function revokeKeysQuery(database: Database, userId: string) {
  return database.apiKey.updateMany({ where: { userId, revokedAt: null }, data: { revokedAt: new Date() } });
}

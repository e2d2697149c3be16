import "server-only";
import { AppError } from "@/lib/schema/app-error";
import type { UpdateUserBody, User, Viewer } from "@/lib/schema/users/user";
import { writeAudit } from "@/lib/server/audit/audit-log";
import { changedFields } from "@/lib/server/platform/audit-columns";
import { database } from "@/lib/server/platform/db/database";
import { hashPassword } from "./create-user";
import { getUser } from "./list-users";

/**
 * Changes a person. A new password or a deactivation ends every session at once; a deactivation also revokes the
 * keys. Throws `not_found`, and `conflict` when no administrator would be left.
 */
export async function updateUser(id: string, change: UpdateUserBody, viewer: Viewer): Promise<User> {
  const before = await getUser(id);
  if (!before) throw new AppError("not_found", "There is no such user.");
  if (before.erasedAt !== null)
    throw new AppError("conflict", "This user was erased. Invite the person again instead.");
  if (losesAdmin(change)) await refuseLastAdmin(before);
  if (change.password !== undefined) await setPassword(id, change.password);
  await database().user.update({
    where: { id },
    data: {
      name: change.name,
      role: change.role,
      deactivatedAt: deactivationDate(change.deactivated),
    },
  });
  if (change.deactivated === true) await revokeKeys(id);
  if (change.deactivated === true || change.password !== undefined) await endSessions(id);
  const after = await getUser(id);
  if (!after) throw new AppError("not_found", "There is no such user.");
  await writeAudit({
    actorId: viewer.id,
    action: "user.changed",
    target: `user:${id}`,
    ...changedFields(sidesOf(before), sidesOf(after)),
    details: change.password === undefined ? {} : { passwordChanged: true },
  });
  return after;
}

function sidesOf({ name, role, deactivatedAt }: User) {
  return { name, role, deactivated: deactivatedAt !== null };
}

/** Removes a person's access for good and keeps what they own: threads, runs and traces stay readable. */
export async function deactivateUser(id: string, viewer: Viewer): Promise<void> {
  await updateUser(id, { deactivated: true }, viewer);
}

function losesAdmin(change: UpdateUserBody): boolean {
  return (change.role !== undefined && change.role !== "admin") || change.deactivated === true;
}

function deactivationDate(deactivated: boolean | undefined): Date | null | undefined {
  if (deactivated === undefined) return undefined;
  return deactivated ? new Date() : null;
}

/** Throws `conflict` when no other administrator is active. */
export async function refuseLastAdmin(user: User): Promise<void> {
  if (user.role !== "admin" || user.deactivatedAt !== null) return;
  const others = await database().user.count({
    where: { role: "admin", isService: false, deactivatedAt: null, id: { not: user.id } },
  });
  if (others === 0)
    throw new AppError("conflict", "This is the last administrator. Make another user an administrator first.");
}

/** Throws `conflict` for somebody who signs in elsewhere. */
export async function setPassword(userId: string, password: string): Promise<void> {
  const changed = await database().account.updateMany({
    where: { userId, providerId: "credential" },
    data: { password: await hashPassword(password) },
  });
  if (changed.count === 0) throw new AppError("conflict", "This user does not sign in with a password.");
}

async function revokeKeys(userId: string): Promise<void> {
  await database().apiKey.updateMany({ where: { userId, revokedAt: null }, data: { revokedAt: new Date() } });
}

async function endSessions(userId: string): Promise<void> {
  await database().session.deleteMany({ where: { userId } });
}

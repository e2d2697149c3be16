import "server-only";
import { AppError } from "@/lib/schema/app-error";
import type { UpdateUserBody, User, Viewer } from "@/lib/schema/users/user";
import { auditQuery } from "@/lib/server/audit/audit-log";
import { announceToUser } from "@/lib/server/engine/log/signals";
import { changedFields } from "@/lib/server/platform/audit-columns";
import { database } from "@/lib/server/platform/db/database";
import { OWNER_ENDED } from "@/lib/server/platform/key-limits";
import { accessEnded } from "./access-ended";
import { hashPassword } from "./create-user";
import { getUser } from "./list-users";

/**
 * Changes a person. A new password or a deactivation ends every session and its open streams at once; a deactivation
 * also revokes the keys; what they handed out ends as far as their new role could no longer make it, and their boards
 * stop with their triggers. Throws `not_found`, and `conflict` if no administrator would be left.
 */
export async function updateUser(id: string, change: UpdateUserBody, viewer: Viewer): Promise<User> {
  const before = await getUser(id);
  if (!before) throw new AppError("not_found", "There is no such user.");
  if (before.erasedAt !== null)
    throw new AppError("conflict", "This user was erased. Invite the person again instead.");
  if (losesAdmin(change)) await refuseLastAdmin(before);
  const db = database();
  const deactivatedAt = deactivationDate(change.deactivated);
  const password = change.password === undefined ? [] : [await passwordQuery(id, change.password)];
  const endsSessions = change.deactivated === true || change.password !== undefined;
  const sides = { name: change.name ?? before.name, role: change.role ?? before.role };
  const deactivated = change.deactivated ?? before.deactivatedAt !== null;
  const now = new Date();
  await db.$transaction([
    ...password.map((store) => store()),
    db.user.update({ where: { id }, data: { name: change.name, role: change.role, deactivatedAt } }),
    ...(change.deactivated === true ? [revokeKeysQuery(id)] : []),
    ...stoppedWork(id, change, now),
    ...handedOut(id, change),
    ...(endsSessions ? [db.session.deleteMany({ where: { userId: id } })] : []),
    auditQuery({
      actorId: viewer.id,
      action: "user.changed",
      target: `user:${id}`,
      ...changedFields(sidesOf(before), { ...sides, deactivated }),
      details: change.password === undefined ? {} : { passwordChanged: true },
    }),
  ]);
  if (endsSessions) accessEnded();
  const stopped = await db.board.findMany({ where: { ownerId: id, stoppedAt: now }, select: { id: true } });
  for (const { id: boardId } of stopped) announceToUser(id, { type: "board.changed", boardId });
  const after = await getUser(id);
  if (!after) throw new AppError("not_found", "There is no such user.");
  return after;
}

/** Pauses the person's triggers and stops their boards, with the reason. */
function stoppedWork(ownerId: string, { deactivated, role }: UpdateUserBody, now: Date) {
  if (deactivated !== true && role !== "viewer") return [];
  const why = deactivated === true ? "deactivated" : "demoted";
  const { board, trigger } = database();
  const paused = { enabled: false, nextDueAt: null, pausedReason: `owner_${why}`, pausedAt: now };
  return [
    trigger.updateMany({ where: { ownerId, enabled: true }, data: paused }),
    board.updateMany({
      where: { ownerId, stoppedAt: null },
      data: { stoppedAt: now, stoppedReason: OWNER_ENDED[why] },
    }),
  ];
}

/** Account links are kept as verifications with this prefix; their value names who made them. */
export const LINK_PREFIX = "account-link:";

/** Ends what the person handed out and could no longer make: links of administrators, and shares of their threads. */
function handedOut(id: string, { deactivated, role }: UpdateUserBody) {
  const isOut = deactivated === true;
  const { verification, share } = database();
  const links = { identifier: { startsWith: LINK_PREFIX }, value: { contains: `"by":${JSON.stringify(id)}` } };
  return [
    ...(isOut || (role !== undefined && role !== "admin") ? [verification.deleteMany({ where: links })] : []),
    ...(isOut || role === "viewer" ? [share.deleteMany({ where: { thread: { ownerId: id } } })] : []),
  ];
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

/** Throws `conflict` if no other administrator is active. */
export async function refuseLastAdmin(user: User): Promise<void> {
  if (user.role !== "admin" || user.deactivatedAt !== null) return;
  const others = await database().user.count({
    where: { role: "admin", isService: false, deactivatedAt: null, id: { not: user.id } },
  });
  if (others === 0)
    throw new AppError("conflict", "This is the last administrator. Make another user an administrator first.");
}

/** Sets the password, for a transaction. Throws `conflict` for a person who does not sign in with a password. */
export async function passwordQuery(userId: string, password: string) {
  const account = { userId, providerId: "credential" };
  if ((await database().account.count({ where: account })) === 0) {
    throw new AppError("conflict", "This user does not sign in with a password.");
  }
  const data = { password: await hashPassword(password) };
  // A function, because a Prisma query runs as soon as it is awaited.
  return () => database().account.updateMany({ where: account, data });
}

function revokeKeysQuery(userId: string) {
  return database().apiKey.updateMany({ where: { userId, revokedAt: null }, data: { revokedAt: new Date() } });
}

import "server-only";
import { AppError } from "@/lib/schema/app-error";
import type { UserSession } from "@/lib/schema/users/account-link";
import type { Viewer } from "@/lib/schema/users/user";
import { writeAudit } from "@/lib/server/audit/audit-log";
import { database } from "@/lib/server/platform/db/database";

/** Where a person is signed in, newest first. */
export async function listSessions(userId: string): Promise<UserSession[]> {
  const rows = await database().session.findMany({
    where: { userId, expiresAt: { gt: new Date() } },
    orderBy: { createdAt: "desc" },
    select: { id: true, createdAt: true, expiresAt: true, ipAddress: true, userAgent: true },
  });
  return rows.map(({ createdAt, expiresAt, ...row }) => ({
    ...row,
    createdAt: createdAt.toISOString(),
    expiresAt: expiresAt.toISOString(),
  }));
}

/** Ends one session at once, its open streams included. Throws `not_found`. */
export async function endSession(userId: string, sessionId: string, viewer: Viewer): Promise<void> {
  const { count } = await database().session.deleteMany({ where: { id: sessionId, userId } });
  if (count === 0) throw new AppError("not_found", "There is no such session; it may have ended already.");
  await writeAudit({ actorId: viewer.id, action: "session.ended", target: `user:${userId}` });
}

/** Ends all of them; returns how many. */
export async function endSessions(userId: string, viewer: Viewer): Promise<number> {
  const { count } = await database().session.deleteMany({ where: { userId } });
  const details = { sessions: count };
  if (count > 0) await writeAudit({ actorId: viewer.id, action: "sessions.ended", target: `user:${userId}`, details });
  return count;
}

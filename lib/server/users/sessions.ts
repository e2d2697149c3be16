import "server-only";
import { AppError } from "@/lib/schema/app-error";
import type { UserSession } from "@/lib/schema/users/account-link";
import type { Viewer } from "@/lib/schema/users/user";
import { auditQuery } from "@/lib/server/audit/audit-log";
import { database } from "@/lib/server/platform/db/database";
import { isNotFound } from "@/lib/server/platform/db/errors";
import { accessEnded } from "./access-ended";

/** The person's sessions, newest first. */
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

/** Ends one session at once, including its open streams. Throws `not_found`. */
export async function endSession(userId: string, sessionId: string, viewer: Viewer): Promise<void> {
  try {
    await database().$transaction([
      database().session.delete({ where: { id: sessionId, userId } }),
      auditQuery({ actorId: viewer.id, action: "session.ended", target: `user:${userId}` }),
    ]);
  } catch (error) {
    if (!isNotFound(error)) throw error;
    throw new AppError("not_found", "There is no such session; it may have ended already.");
  }
  accessEnded();
}

/** Ends all of the person's sessions, with their open streams; returns how many. */
export async function endSessions(userId: string, viewer: Viewer): Promise<number> {
  const open = await database().session.findMany({ where: { userId }, select: { id: true } });
  if (open.length === 0) return 0;
  const details = { sessions: open.length };
  await database().$transaction([
    database().session.deleteMany({ where: { id: { in: open.map(({ id }) => id) } } }),
    auditQuery({ actorId: viewer.id, action: "sessions.ended", target: `user:${userId}`, details }),
  ]);
  accessEnded();
  return open.length;
}

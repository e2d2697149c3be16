import "server-only";
import { AppError } from "@/lib/schema/app-error";
import type { UserSession } from "@/lib/schema/users/account-link";
import type { Viewer } from "@/lib/schema/users/user";
import { auditQuery } from "@/lib/server/audit/audit-log";
import type { Database } from "@/lib/server/platform/db/database";
import { isNotFound } from "@/lib/server/platform/db/errors";
import type { Services } from "@/lib/server/platform/services";
import { accessEnded } from "./access-ended";

/** The person's sessions, newest first. */
export async function listSessions(database: Database, userId: string): Promise<UserSession[]> {
  const rows = await database.session.findMany({
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
export async function endSession(services: Services, userId: string, sessionId: string, viewer: Viewer): Promise<void> {
  try {
    await services.database.$transaction([
      services.database.session.delete({ where: { id: sessionId, userId } }),
      auditQuery(services, { actorId: viewer.id, action: "session.ended", target: `user:${userId}` }),
    ]);
  } catch (error) {
    if (!isNotFound(error)) throw error;
    throw new AppError("not_found", "There is no such session; it may have ended already.");
  }
  accessEnded(services);
}

/** Ends all of the person's sessions, with their open streams; returns how many. */
export async function endSessions(services: Services, userId: string, viewer: Viewer): Promise<number> {
  const open = await services.database.session.findMany({ where: { userId }, select: { id: true } });
  if (open.length === 0) return 0;
  const details = { sessions: open.length };
  await services.database.$transaction([
    services.database.session.deleteMany({ where: { id: { in: open.map(({ id }) => id) } } }),
    auditQuery(services, { actorId: viewer.id, action: "sessions.ended", target: `user:${userId}`, details }),
  ]);
  accessEnded(services);
  return open.length;
}

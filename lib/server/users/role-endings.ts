import "server-only";
import type { Role } from "@/lib/schema/users/user";
import { announceToUser } from "@/lib/server/engine/log/signals";
import type { Database, PrismaQuery } from "@/lib/server/platform/db/database";
import { OWNER_ENDED } from "@/lib/server/platform/key-limits";

/** Account links are kept as verifications with this prefix; their value names who made them. */
export const LINK_PREFIX = "account-link:";

/** A person's role with what their groups give, before and after a change; null: they are deactivated. */
interface RoleChange {
  readonly userId: string;
  readonly before: Role | null;
  readonly after: Role | null;
}

/**
 * For the transaction of the change, whatever causes it: ends what the person handed out and could no longer make (links
 * of administrators, shares), pauses their triggers and stops their boards if they may no longer start runs.
 */
export function endingQueries(database: Database, { userId, before, after }: RoleChange, now: Date): PrismaQuery[] {
  if (before === null || before === after) return [];
  const losesAdmin = before === "admin";
  const losesRuns = after === "viewer" || after === null;
  return [
    ...(losesAdmin ? [endLinks(database, userId)] : []),
    ...(losesRuns ? endWork(database, userId, after === null ? "deactivated" : "demoted", now) : []),
  ];
}

function endLinks(database: Database, userId: string): PrismaQuery {
  const links = { identifier: { startsWith: LINK_PREFIX }, value: { contains: `"by":${JSON.stringify(userId)}` } };
  return database.verification.deleteMany({ where: links });
}

function endWork(database: Database, ownerId: string, why: "deactivated" | "demoted", now: Date): PrismaQuery[] {
  const { board, share, trigger } = database;
  const paused = { enabled: false, nextDueAt: null, pausedReason: `owner_${why}`, pausedAt: now };
  return [
    share.deleteMany({ where: { thread: { ownerId } } }),
    trigger.updateMany({ where: { ownerId, enabled: true }, data: paused }),
    board.updateMany({
      where: { ownerId, stoppedAt: null },
      data: { stoppedAt: now, stoppedReason: OWNER_ENDED[why] },
    }),
  ];
}

/** Lets open pages show the boards that such a change stopped at `now`. */
export async function announceStoppedBoards(database: Database, userIds: readonly string[], now: Date): Promise<void> {
  if (userIds.length === 0) return;
  const stopped = await database.board.findMany({
    where: { ownerId: { in: [...userIds] }, stoppedAt: now },
    select: { id: true, ownerId: true },
  });
  for (const { id: boardId, ownerId } of stopped) announceToUser(ownerId, { type: "board.changed", boardId });
}

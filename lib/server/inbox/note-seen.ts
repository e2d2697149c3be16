import "server-only";
import type { Database } from "@/lib/server/platform/db/database";

interface Shown {
  readonly id: string;
  readonly seenAt: Date | null;
}

/** Keeps when somebody first had the cards of these asks before them, and who. */
export async function noteSeen(database: Database, asks: readonly Shown[], userId: string): Promise<void> {
  const unseen = asks.filter(({ seenAt }) => seenAt === null).map(({ id }) => id);
  if (unseen.length === 0) return;
  await database.approval.updateMany({
    where: { id: { in: unseen }, seenAt: null },
    data: { seenAt: new Date(), seenById: userId },
  });
}

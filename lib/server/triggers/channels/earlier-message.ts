import { OutgoingTarget } from "@/lib/schema/triggers/outgoing-target";
import type { Database } from "@/lib/server/platform/db/database";
import type { DeliveryRow } from "@/lib/server/platform/db/queries/dispatch/triggers";
import { findTargetLink } from "./links/last-link";

/** How soon to look again while an earlier message is being sent. */
const TURN_MS = 100;
/** A later message overtakes one whose next attempt is further away than this. */
const LONGEST_HOLD_MS = 120_000;
/** A message that is overdue by more than this no longer holds up later ones. */
const STALE_MS = 600_000;

/**
 * When to look again, while a message queued earlier for the same chat is still unsent; null if there is none. People read
 * a chat from top to bottom. Covers replies, questions and messages of the tool `message`.
 */
export async function waitsForEarlier(database: Database, row: DeliveryRow, now: Date): Promise<Date | null> {
  const { id, ownerId, createdAt } = row;
  const soon = new Date(now.getTime() + LONGEST_HOLD_MS);
  const earlier = await database.delivery.findMany({
    where: {
      ownerId,
      state: { in: ["pending", "uncertain"] },
      nextAt: { gt: new Date(now.getTime() - STALE_MS), lte: soon },
      OR: [{ createdAt: { lt: createdAt } }, { createdAt, id: { lt: id } }],
    },
    select: { target: true, nextAt: true },
    orderBy: [{ nextAt: "desc" }, { id: "asc" }],
  });
  if (earlier.length === 0) return null;
  const link = await linkIdOf(database, row);
  for (const { target, nextAt } of earlier) {
    if (link === null || (await linkIdOf(database, { ownerId, target })) !== link) continue;
    return new Date(Math.max(nextAt?.getTime() ?? 0, now.getTime() + TURN_MS));
  }
  return null;
}

/** The id of the chat that it goes to; null if it is no part of a conversation. */
async function linkIdOf(
  database: Database,
  { ownerId, target }: Pick<DeliveryRow, "ownerId" | "target">,
): Promise<string | null> {
  const { channel, message, question } = OutgoingTarget.parse(JSON.parse(target));
  if (channel !== undefined) return (await findTargetLink(database, ownerId, channel))?.id ?? null;
  return (message ?? question)?.link ?? null;
}

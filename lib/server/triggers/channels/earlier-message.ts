import { OutgoingTarget } from "@/lib/schema/triggers/outgoing-target";
import type { Database } from "@/lib/server/platform/db/database";
import type { DeliveryRow } from "@/lib/server/platform/db/queries/dispatch/triggers";
import { findTargetLink } from "./links/last-link";

/** How soon to look again while an earlier message is being sent. */
const TURN_MS = 100;
/** An earlier message that will not be tried again within this time is overtaken. */
const LONGEST_HOLD_MS = 120_000;
/** One that has been due for longer than this is sent by nobody. */
const STALE_MS = 600_000;

/**
 * When to look again, while a message queued earlier for the same chat has yet to be sent; null if there is none: people
 * read a chat from top to bottom. Covers replies, questions and what the tool `message` says.
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

import { OutgoingTarget } from "@/lib/schema/triggers/outgoing-target";
import type { Database } from "@/lib/server/platform/db/database";
import type { DeliveryRow } from "@/lib/server/platform/db/queries/dispatch/triggers";
import { findTargetLink } from "./links/last-link";

/** An earlier message that will not be tried again within this time is overtaken. */
const LONGEST_HOLD_MS = 120_000;
/** One that has been due for longer than this is sent by nobody. */
const STALE_MS = 600_000;

/**
 * Whether a message queued earlier for the same chat has yet to be sent: people read a chat from top to bottom. Covers
 * replies, questions and what the tool `message` says.
 */
export async function hasEarlierMessage(database: Database, row: DeliveryRow, now: Date): Promise<boolean> {
  const { id, ownerId, createdAt } = row;
  const soon = new Date(now.getTime() + LONGEST_HOLD_MS);
  const earlier = await database.delivery.findMany({
    where: {
      ownerId,
      state: { in: ["pending", "uncertain"] },
      nextAt: { gt: new Date(now.getTime() - STALE_MS), lte: soon },
      OR: [{ createdAt: { lt: createdAt } }, { createdAt, id: { lt: id } }],
      // Without an error, what is due later is held back on purpose.
      NOT: { nextAt: { gt: now }, error: null },
    },
    select: { target: true },
    orderBy: { id: "asc" },
  });
  if (earlier.length === 0) return false;
  const link = await linkIdOf(database, row);
  for (const one of earlier) {
    if (link !== null && (await linkIdOf(database, { ownerId, target: one.target })) === link) return true;
  }
  return false;
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

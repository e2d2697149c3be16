import { OutgoingTarget } from "@/lib/schema/triggers/outgoing-target";
import type { Database } from "@/lib/server/platform/db/database";
import type { LinkRow } from "@/lib/server/triggers/channels/connection";

/** The direct chat the person used last; never a group. */
export async function findLastLink(database: Database, userId: string): Promise<LinkRow | null> {
  const [last] = await database.channelLink.findMany({
    where: { userId, chatKind: "direct", lastUsedAt: { not: null }, channel: { enabled: true } },
    orderBy: [{ lastUsedAt: "desc" }, { id: "desc" }],
    take: 1,
  });
  return last ?? null;
}

/** The chat for a person's notifications: the one used last or, until one was used, the one linked last. */
export async function findNoticeLink(database: Database, userId: string): Promise<LinkRow | null> {
  const last = await findLastLink(database, userId);
  if (last) return last;
  return database.channelLink.findFirst({
    where: { userId, chatKind: "direct", channel: { enabled: true } },
    orderBy: [{ verifiedAt: "desc" }, { id: "desc" }],
  });
}

/** The person's chat named by a target: `last`, or a link's id. */
export async function findTargetLink(database: Database, userId: string, target: string): Promise<LinkRow | null> {
  if (target === "last") return findLastLink(database, userId);
  return database.channelLink.findFirst({ where: { id: target, userId } });
}

interface ToldBy {
  readonly id: string;
  readonly ownerId: string;
}

/** Whether the run's tool `message` has a delivery to that chat that did not fail (D-90). */
export async function hasMessaged(database: Database, { id, ownerId }: ToldBy, target: string): Promise<boolean> {
  const rows = await database.delivery.findMany({
    where: { runId: id, state: { not: "failed" }, target: { contains: '"message"' } },
    select: { target: true },
    orderBy: { id: "asc" },
  });
  const links = rows.flatMap((row) => OutgoingTarget.parse(JSON.parse(row.target)).message?.link ?? []);
  if (links.length === 0) return false;
  const link = await findTargetLink(database, ownerId, target);
  return link !== null && links.includes(link.id);
}

import "server-only";
import { z } from "zod";
import { AppError } from "@/lib/schema/app-error";
import type { ChannelLink } from "@/lib/schema/channels/channel-link";
import type { Viewer } from "@/lib/schema/users/user";
import { auditQuery } from "@/lib/server/audit/audit-log";
import type { Database } from "@/lib/server/platform/db/database";
import { isTaken } from "@/lib/server/platform/db/errors";
import type { Services } from "@/lib/server/platform/services";
import { requireWholePerson } from "@/lib/server/platform/within-reach";
import type { LinkRow } from "@/lib/server/triggers/channels/connection";
import { announceChannels } from "./linked-people";
import { getLink, requireLink } from "./manage-links";

/** How long an unlinked chat can be linked again as it was. */
const RESTORABLE_MS = 10 * 60_000;
const UNLINKED = "unlinked";

/** What the trigger of an unlinked chat keeps: the link, and who removed it. */
const Unlinked = z.object({
  by: z.string(),
  link: z.object({
    id: z.string(),
    userId: z.string(),
    channelId: z.string(),
    chatKind: z.string(),
    externalUser: z.string(),
    externalChat: z.string(),
    senderName: z.string(),
    chatName: z.string(),
    agentId: z.string(),
    threadId: z.string().nullable(),
    verifiedAt: z.coerce.date(),
    lastUsedAt: z.coerce.date().nullable(),
    secretHash: z.string().nullable(),
  }) satisfies z.ZodType<LinkRow>,
});

/**
 * Deletes a link. The thread stays; messages from the chat no longer start anything, also those that had not started
 * yet. Throws `not_found`.
 */
export async function deleteLink(services: Services, id: string, viewer: Viewer, now = new Date()): Promise<void> {
  const { database } = services;
  const link = await requireLink(database, id, viewer);
  const { userId, channelId, chatName } = link;
  const state = JSON.stringify({ by: viewer.id, link } satisfies z.input<typeof Unlinked>);
  await database.$transaction([
    database.firing.deleteMany({ where: { triggerId: id, state: "claimed" } }),
    database.trigger.updateMany({
      where: { id },
      data: { enabled: false, pausedReason: UNLINKED, pausedAt: now, state },
    }),
    database.channelLink.deleteMany({ where: { id } }),
    auditQuery(services, {
      actorId: viewer.id,
      action: "channel_link.deleted",
      target: `channel_link:${id}`,
      before: { userId, channelId, chatName },
    }),
  ]);
  await announceChannels(services);
}

/**
 * Links a chat again, with its thread and who answers there. Throws `not_found` if the caller did not unlink it in the
 * last ten minutes, `forbidden` for a limited key, `conflict` if the chat has been linked again or its sender now belongs to someone else.
 */
export async function restoreLink(
  services: Services,
  id: string,
  viewer: Viewer,
  now = new Date(),
): Promise<ChannelLink> {
  const { database } = services;
  requireWholePerson(viewer);
  const after = new Date(now.getTime() - RESTORABLE_MS);
  const trigger = await database.trigger.findFirst({
    where: { id, kind: "channel", pausedReason: UNLINKED, pausedAt: { gt: after } },
    select: { state: true },
  });
  const unlinked = trigger?.state ? Unlinked.parse(JSON.parse(trigger.state)) : null;
  if (unlinked?.by !== viewer.id) throw new AppError("not_found", "This chat can’t be linked again. Use a new code.");
  const { link } = unlinked;
  if ((await database.channel.count({ where: { id: link.channelId } })) === 0) {
    throw new AppError("not_found", "The channel was deleted.");
  }
  const { channelId, externalUser, userId, chatName } = link;
  const other = await database.channelLink.count({ where: { channelId, externalUser, NOT: { userId } } });
  if (other > 0) throw new AppError("conflict", "This chat is now linked to someone else.");
  try {
    await database.$transaction([
      database.channelLink.create({ data: link, select: { id: true } }),
      database.trigger.update({
        where: { id },
        data: { enabled: true, pausedReason: null, pausedAt: null, state: null },
        select: { id: true },
      }),
      auditQuery(services, {
        actorId: viewer.id,
        action: "channel_link.restored",
        target: `channel_link:${id}`,
        after: { userId, channelId, chatName },
      }),
    ]);
  } catch (error) {
    if (!isTaken(error)) throw error;
    throw new AppError("conflict", "This chat has already been linked again.");
  }
  await announceChannels(services);
  return getLink(services, id, now);
}

/** Forgets chats that were unlinked and can no longer be restored. */
export async function forgetUnlinked(database: Database, now: Date): Promise<void> {
  const pausedAt = { lte: new Date(now.getTime() - RESTORABLE_MS) };
  await database.trigger.deleteMany({ where: { kind: "channel", pausedReason: UNLINKED, pausedAt } });
}

import "server-only";
import { AppError } from "@/lib/schema/app-error";
import { releaseHeld } from "@/lib/server/engine/held/release-held";
import { removeQueued } from "@/lib/server/engine/queue/change-queue";
import { loadHeld } from "@/lib/server/engine/queue/queue-order";
import type { Database } from "@/lib/server/platform/db/database";
import { logger } from "@/lib/server/platform/logger";
import type { InboundPress } from "@/lib/server/triggers/channels/channel";
import { rejectUpdate } from "@/lib/server/triggers/channels/rejected-updates";
import { REFUSED, whyLinkPaused } from "@/lib/server/triggers/why-paused";
import type { Received } from "./received";

/** The person's held messages in a thread. */
export async function ownHeld(database: Database, threadId: string, userId: string) {
  return (await loadHeld(database, threadId)).filter(({ row }) => row.ownerId === userId);
}

/** The answer to a press of Send or Drop below a stop (D-96); null for any other button. */
export async function pressHeld(database: Database, received: Received, press: InboundPress): Promise<string | null> {
  const [choice, threadId] = press.data.split(".");
  if ((choice !== "send" && choice !== "drop") || threadId === undefined) return null;
  const { row, now } = received;
  const link = await database.channelLink.findUnique({
    where: {
      channelId_externalChat_externalUser: {
        channelId: row.id,
        externalChat: press.chat.id,
        externalUser: press.sender.id,
      },
    },
  });
  // Only what was written here: a made-up button reaches no other thread.
  const isFromHere = link !== null && (await database.firing.count({ where: { triggerId: link.id, threadId } })) > 0;
  if (!isFromHere) {
    const detail = `${press.sender.name} pressed a button below another person's stop`;
    await rejectUpdate(database, { channelId: row.id, kind: "other_person", detail, now });
    return "Only whoever wrote these messages can send or drop them.";
  }
  const paused = await whyLinkPaused(database, link);
  if (paused !== null) return REFUSED[paused];
  try {
    const text = await (choice === "send" ? send : drop)(database, threadId, link.userId);
    await withoutButtons(received, press, text);
    return text;
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return error.message;
  }
}

type Done = (database: Database, threadId: string, ownerId: string) => Promise<string>;

const send: Done = async (database, threadId, ownerId) =>
  said(await releaseHeld(database, { threadId, ownerId }), "Sent");

const drop: Done = async (database, threadId, ownerId) => {
  const messages = await ownHeld(database, threadId, ownerId);
  for (const { row } of messages) await removeQueued(database, { threadId, ownerId }, row.id);
  return said(messages.length, "Dropped");
};

function said(count: number, done: "Sent" | "Dropped"): string {
  if (count === 0) return "Nothing is held any more.";
  return count === 1 ? `${done} 1 message.` : `${done} ${count} messages.`;
}

async function withoutButtons({ open }: Received, { chat, messageId }: InboundPress, text: string): Promise<void> {
  const { channel, connection } = open;
  if (!channel.limits.canEdit) return;
  try {
    await channel.edit(connection, chat.id, messageId, { text });
  } catch (error) {
    logger().warn({ err: error, channelId: connection.channelId }, "could not remove the buttons below a stop");
  }
}

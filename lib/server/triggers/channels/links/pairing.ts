import { createHash, randomInt } from "node:crypto";
import type { LinkCode } from "@/lib/schema/channels/channel-link";
import { auditColumns } from "@/lib/server/platform/audit-columns";
import { createId } from "@/lib/server/platform/create-id";
import type { Database } from "@/lib/server/platform/db/database";
import type { Chat, Sender } from "@/lib/server/triggers/channels/channel";
import type { ChannelRow, LinkRow } from "@/lib/server/triggers/channels/connection";

const VALID_MS = 10 * 60_000;
/** Without easily confused characters. */
const LETTERS = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789";
const LENGTH = 8;

/** A code that links one chat to the person; an earlier code becomes invalid. */
export async function createCode(
  database: Database,
  channel: Pick<ChannelRow, "id" | "kind" | "username">,
  userId: string,
  now: Date,
): Promise<LinkCode> {
  const code = Array.from({ length: LENGTH }, () => LETTERS[randomInt(LETTERS.length)]).join("");
  const expiresAt = new Date(now.getTime() + VALID_MS);
  await database.channelCode.deleteMany({ where: { userId, channelId: channel.id, usedAt: null } });
  await database.channelCode.create({
    data: { hash: hashOf(channel.id, code), channelId: channel.id, userId, expiresAt, createdAt: now },
    select: { hash: true },
  });
  const isTelegram = channel.kind === "telegram" && channel.username !== null;
  return {
    code: `${code.slice(0, 4)} ${code.slice(4)}`,
    expiresAt: expiresAt.toISOString(),
    url: isTelegram ? `https://t.me/${channel.username?.replace(/^@/, "")}?start=${code}` : null,
  };
}

/** The code in a message; null for a message without one. `/start` carries it from a link. */
export function codeIn(text: string): string | null {
  const given = text
    .replace(/^\/start(?:@\w+)?\s*/i, "")
    .replace(/[\s-]/g, "")
    .toUpperCase();
  return given.length === LENGTH && [...given].every((letter) => LETTERS.includes(letter)) ? given : null;
}

interface Pairing {
  readonly channel: ChannelRow;
  readonly chat: Chat;
  readonly sender: Sender;
  readonly now: Date;
}

/** Links the chat to the person the code was shown to; null for a code that is wrong, used or expired. */
export async function pair(database: Database, code: string, pairing: Pairing): Promise<LinkRow | null> {
  const { channel, chat, sender, now } = pairing;
  const hash = hashOf(channel.id, code);
  const used = await database.channelCode.updateMany({
    where: { hash, channelId: channel.id, usedAt: null, expiresAt: { gt: now } },
    data: { usedAt: now },
  });
  if (used.count === 0) return null;
  const { userId } = await database.channelCode.findUniqueOrThrow({ where: { hash }, select: { userId: true } });
  const before = await database.channelLink.findMany({
    where: { channelId: channel.id, externalUser: sender.id, NOT: { userId } },
    select: { id: true },
    orderBy: { id: "asc" },
  });
  // A sender belongs to one person: their chats linked to another person are unlinked.
  await removeLinks(
    database,
    before.map(({ id }) => id),
  );
  const link = await openLink(database, { channel, chat, sender, userId, agentId: channel.agentId, now });
  const record = { actorId: userId, action: "channel_link.created", target: `channel_link:${link.id}` };
  await database.$transaction([
    database.channelCode.update({ where: { hash }, data: { linkId: link.id }, select: { hash: true } }),
    database.auditEntry.create({
      data: auditColumns({ ...record, after: { channelId: channel.id, chatName: chat.name } }),
      select: { id: true },
    }),
  ]);
  return link;
}

interface NewLink extends Pairing {
  readonly userId: string;
  readonly agentId: string;
}

/** The link of that sender in that chat, created if missing, with the trigger fired by its messages. */
export async function openLink(database: Database, of: NewLink): Promise<LinkRow> {
  const { channel, chat, sender, userId, agentId, now } = of;
  const key = { channelId: channel.id, externalChat: chat.id, externalUser: sender.id };
  const names = { senderName: sender.name, chatName: chat.name };
  const known = await database.channelLink.findUnique({ where: { channelId_externalChat_externalUser: key } });
  if (known) return database.channelLink.update({ where: { id: known.id }, data: names });
  const id = createId("lnk");
  const config = JSON.stringify({
    channelId: channel.id,
    channel: channel.kind,
    chatId: chat.id,
    chatKind: chat.kind,
    sender: sender.name,
  });
  const [link] = await database.$transaction([
    database.channelLink.create({
      data: { id, ...key, ...names, userId, agentId, chatKind: chat.kind, verifiedAt: now },
    }),
    database.trigger.create({
      data: { id, ownerId: userId, agentId, kind: "channel", name: chat.name, config },
      select: { id: true },
    }),
  ]);
  return link;
}

/** Removes links with their triggers; threads and runs stay. */
async function removeLinks(database: Database, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  const where = { id: { in: [...ids] } };
  await database.$transaction([database.trigger.deleteMany({ where }), database.channelLink.deleteMany({ where })]);
}

function hashOf(channelId: string, code: string): string {
  return createHash("sha256").update(`pairing\n${channelId}\n${code}`).digest("hex");
}

import { createHash, randomInt } from "node:crypto";
import type { LinkCode } from "@/lib/schema/channels/channel-link";
import { auditColumns } from "@/lib/server/platform/audit-columns";
import { createId } from "@/lib/server/platform/create-id";
import type { Database } from "@/lib/server/platform/db/database";
import { isNothingChanged, isTaken } from "@/lib/server/platform/db/errors";
import { insertEntryStatement } from "@/lib/server/platform/db/queries/audit";
import {
  insertLinkStatements,
  renewLinkStatements,
  takeCodeStatement,
  unlinkSenderStatements,
} from "@/lib/server/platform/db/queries/dispatch/channels";
import type { SqlStatement } from "@/lib/server/platform/db/sql-statement";
import type { Chat, Sender } from "@/lib/server/triggers/channels/channel";
import type { ChannelRow, LinkRow } from "@/lib/server/triggers/channels/connection";
import type { Maker } from "@/lib/server/triggers/made-by-key";

const VALID_MS = 10 * 60_000;
/** Without easily confused characters. */
const LETTERS = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789";
const LENGTH = 8;

/** A code that links one chat to the person; an earlier code becomes invalid. */
export async function createCode(
  database: Database,
  channel: Pick<ChannelRow, "id" | "kind" | "username">,
  { id: userId, keyId }: Maker,
  now: Date,
): Promise<LinkCode> {
  const code = Array.from({ length: LENGTH }, () => LETTERS[randomInt(LETTERS.length)]).join("");
  const expiresAt = new Date(now.getTime() + VALID_MS);
  await database.channelCode.deleteMany({ where: { userId, channelId: channel.id, usedAt: null } });
  await database.channelCode.create({
    data: {
      hash: hashOf(channel.id, code),
      channelId: channel.id,
      userId,
      apiKeyId: keyId ?? null,
      expiresAt,
      createdAt: now,
    },
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

/**
 * Links the chat to the person the code was shown to, in one transaction: a code is used only by a link that stands.
 * Null for a code that is wrong, used or expired.
 */
export async function pair(database: Database, code: string, pairing: Pairing): Promise<LinkRow | null> {
  const { channel, chat, sender, now } = pairing;
  const hash = hashOf(channel.id, code);
  const valid = await database.channelCode.findFirst({
    where: { hash, channelId: channel.id, usedAt: null, expiresAt: { gt: now } },
    select: { userId: true, apiKeyId: true },
  });
  if (!valid) return null;
  const { userId, apiKeyId } = valid;
  const known = await findLink(database, pairing, userId);
  const link = { ...pairing, userId, apiKeyId, agentId: channel.agentId };
  const id = known?.id ?? createId("lnk");
  const record = { actorId: userId, action: "channel_link.created", target: `channel_link:${id}` };
  const entry = auditColumns({ ...record, after: { channelId: channel.id, chatName: chat.name } });
  try {
    await database.runAll([
      takeCodeStatement({ hash, linkId: id, now }),
      // A sender belongs to one person: their chats linked to another person are unlinked.
      ...unlinkSenderStatements({ channelId: channel.id, externalUser: sender.id, exceptUserId: userId }),
      ...(known ? renewLinkStatements(id, { ...namesOf(pairing), apiKeyId }) : newLinkStatements(id, link)),
      insertEntryStatement({ ...entry, createdAt: now }),
    ]);
  } catch (error) {
    if (isNothingChanged(error)) return null;
    // Another code has linked the same chat at the same time: its link is known now.
    if (isTaken(error) && !known) return pair(database, code, pairing);
    throw error;
  }
  return database.channelLink.findUnique({ where: { id } });
}

function findLink(database: Database, { channel, chat, sender }: Pairing, userId: string): Promise<LinkRow | null> {
  const key = { channelId: channel.id, externalChat: chat.id, externalUser: sender.id };
  return database.channelLink.findFirst({ where: { ...key, userId } });
}

interface NewLink extends Pairing {
  readonly userId: string;
  readonly agentId: string;
  /** The API key that its runs count for. */
  readonly apiKeyId?: string | null;
}

/** The link of that sender in that chat, created if missing, with the trigger fired by its messages. */
export async function openLink(database: Database, of: NewLink): Promise<LinkRow> {
  const { channel, chat, sender } = of;
  const key = { channelId: channel.id, externalChat: chat.id, externalUser: sender.id };
  const known = await database.channelLink.findUnique({ where: { channelId_externalChat_externalUser: key } });
  if (known) return database.channelLink.update({ where: { id: known.id }, data: namesOf(of) });
  const id = createId("lnk");
  await database.runAll(newLinkStatements(id, of));
  return database.channelLink.findUniqueOrThrow({ where: { id } });
}

function namesOf({ chat, sender }: Pick<Pairing, "chat" | "sender">) {
  return { senderName: sender.name, chatName: chat.name };
}

function newLinkStatements(id: string, of: NewLink): SqlStatement[] {
  const { channel, chat, sender, userId, agentId, apiKeyId = null, now } = of;
  const place = { channelId: channel.id, externalChat: chat.id, externalUser: sender.id };
  const config = { channelId: channel.id, channel: channel.kind, chatId: chat.id, chatKind: chat.kind };
  return insertLinkStatements(
    { id, ...place, ...namesOf(of), userId, agentId, chatKind: chat.kind, verifiedAt: now },
    { apiKeyId, config: JSON.stringify({ ...config, sender: sender.name }), now },
  );
}

function hashOf(channelId: string, code: string): string {
  return createHash("sha256").update(`pairing\n${channelId}\n${code}`).digest("hex");
}

import "server-only";
import { AppError } from "@/lib/schema/app-error";
import { waitsForPeople } from "@/lib/server/engine/children/run-tree";
import { takeRate } from "@/lib/server/http/rate-limit";
import type { Database } from "@/lib/server/platform/db/database";
import { noteLinkUsedStatement } from "@/lib/server/platform/db/queries/dispatch/channels";
import { selectWaitingRuns } from "@/lib/server/platform/db/queries/runs";
import type { Services } from "@/lib/server/platform/services";
import { createThread } from "@/lib/server/threads/change-thread";
import type { Chat, InboundMessage, InboundUpdate } from "@/lib/server/triggers/channels/channel";
import { type LinkRow, type OpenChannel, openChannel } from "@/lib/server/triggers/channels/connection";
import { createSecretAddress, findLinkBySecret } from "@/lib/server/triggers/channels/links/link-secret";
import { announceChannels } from "@/lib/server/triggers/channels/links/linked-people";
import { moveChat } from "@/lib/server/triggers/channels/links/move-chat";
import { codeIn, openLink, pair } from "@/lib/server/triggers/channels/links/pairing";
import { rejectUpdate } from "@/lib/server/triggers/channels/rejected-updates";
import { storableUpdate } from "@/lib/server/triggers/channels/storable-update";
import { REFUSED, whyLinkPaused } from "@/lib/server/triggers/why-paused";
import { beginRun, type Linked } from "./begin-run";
import { commandIn, runChatCommand } from "./chat-commands";
import { storeFiles } from "./inbound-files";
import { isNew, moveOffset, note } from "./note-update";
import { pressButton } from "./press-button";
import { beginParts, joinComment, joinParts, withCited } from "./receive-parts";
import { type ChannelPorts, type Received, say } from "./received";

/** The only text strangers ever get, whatever they write. */
const STRANGER = "I don't know this code. Get one in Ringmaster, Settings, Channels.";
const SECRET_ADDRESS = "This address is yours alone, for mail that your provider does not sign (keep it to yourself):";
const DECIDE_FIRST = "Decide above first, or /stop";
const HOUR_MS = 3_600_000;
/** The hourly limit of answers to strangers; nobody else's messages count towards it. */
const STRANGERS = { name: "channel-stranger", limit: 5, windowMs: HOUR_MS };
const PAUSED = { name: "channel-paused", limit: 1, windowMs: HOUR_MS };

interface Receiving {
  readonly ports: ChannelPorts;
  /** Default: at this moment. */
  readonly now?: Date;
}

/**
 * Handles an update from a channel. The update is stored when this resolves, together with the channel's offset; a
 * repeat starts nothing.
 */
export async function receiveUpdate(
  services: Services,
  channelId: string,
  given: InboundUpdate,
  { ports, now = new Date() }: Receiving,
): Promise<void> {
  const { database } = services;
  const update = storableUpdate(given);
  const row = await database.channel.findUnique({ where: { id: channelId } });
  if (!row?.enabled) return;
  const received = { ports, row, open: answering(await openChannel(row), update.message), update, now };
  if (update.refused !== undefined) {
    await rejectUpdate(database, { channelId, kind: "refused", detail: update.refused, now });
    return moveOffset(database, received);
  }
  if (update.press) {
    if (await isNew(database, received, channelId)) await pressButton(services, received, update.press);
    return;
  }
  if (update.moved) {
    await moveChat(database, { channelId, ...update.moved });
    return moveOffset(database, received);
  }
  if (update.message) return receiveMessage(services, received, update.message);
  return moveOffset(database, received);
}

/** Immediate replies go to the same place as an answer to the message. */
function answering(open: OpenChannel, message: InboundMessage | undefined): OpenChannel {
  const replyTo = message?.answerKey;
  if (replyTo === undefined) return open;
  const { channel, connection } = open;
  const send: typeof channel.send = (to, chatId, said) => channel.send(to, chatId, { replyTo, ...said });
  return { connection, channel: { ...channel, send } };
}

async function receiveMessage(services: Services, received: Received, given: InboundMessage): Promise<void> {
  const { database } = services;
  const link = await findLink(database, received, given);
  if (given.linkSecret !== undefined && !link) {
    // An answer would go to whomever the mail names as its sender.
    const detail = "no such secret address, and a sender that is not known for sure";
    await rejectUpdate(database, { channelId: received.row.id, kind: "refused", detail, now: received.now });
    return moveOffset(database, received);
  }
  const message = link && given.linkSecret !== undefined ? asOwn(given, link) : given;
  if (!link) return receiveFromStranger(services, received, message);
  if (commandIn(message.text) === null && (await joinsOther(services, received, { link, message }))) return;
  if (message.chat.kind === "group" && !message.isMentioned) return moveOffset(database, received);
  const paused = await whyLinkPaused(database, link);
  if (paused !== null) return refusePaused(services, received, { link, message, why: REFUSED[paused] });
  const command = commandIn(message.text);
  if (command === null) return startMessage(services, received, { link, message });
  const target = { ...link, threadId: await threadOf(database, { received, link, message }) };
  if (!(await isNew(database, received, link.id))) return;
  const { open, ports } = received;
  const { canPress } = open.channel.limits;
  await runChatCommand(services, command, {
    ports,
    link: target,
    canPress,
    say: (...said) => say(open, message.chat, ...said),
  });
}

async function joinsOther(services: Services, received: Received, linked: Linked): Promise<boolean> {
  return (await joinParts(services, received, linked)) || joinComment(services, received, linked);
}

/** Attributes the message to the link's own sender, regardless of the named sender, and answers in the link's chat. */
function asOwn(message: InboundMessage, { externalChat, externalUser, senderName, chatName }: LinkRow): InboundMessage {
  const chat = { ...message.chat, id: externalChat, name: chatName };
  return { ...message, chat, sender: { id: externalUser, name: senderName } };
}

/** The sender's link in this chat. In a group, a paired person gets one with their first message. */
async function findLink(
  database: Database,
  { row, now }: Received,
  { chat, sender, linkSecret }: InboundMessage,
): Promise<LinkRow | null> {
  const { channelLink } = database;
  if (linkSecret !== undefined) return findLinkBySecret(database, row.id, linkSecret);
  const key = { channelId: row.id, externalChat: chat.id, externalUser: sender.id };
  const known = await channelLink.findUnique({ where: { channelId_externalChat_externalUser: key } });
  if (known || (chat.kind === "direct" && chat.topicOf === undefined)) return known;
  const paired = await channelLink.findFirst({
    where: { channelId: row.id, externalUser: sender.id, chatKind: "direct" },
    orderBy: { verifiedAt: "asc" },
  });
  if (!paired) return null;
  const { userId, agentId } = paired;
  const trigger = await database.trigger.findUnique({ where: { id: paired.id }, select: { apiKeyId: true } });
  const apiKeyId = trigger?.apiKeyId ?? null;
  return openLink(database, { channel: row, chat, sender, userId, agentId, apiKeyId, now });
}

/** Replies with one fixed sentence and no model call; a correct code links the chat. */
async function receiveFromStranger(services: Services, received: Received, message: InboundMessage): Promise<void> {
  const { database } = services;
  const { row, open, now } = received;
  const { chat, sender, text, isMentioned } = message;
  if (chat.kind === "group") {
    if (!isMentioned) return moveOffset(database, received);
    // Once per group and person.
    const isFirst = await takesRate(
      services,
      { ...STRANGERS, limit: 1, windowMs: 365 * 24 * HOUR_MS },
      `${chat.topicOf ?? chat.id} ${sender.id}`,
    );
    return sendAway(database, received, { chat, isAnswered: isFirst });
  }
  const mayTry = await takesRate(services, STRANGERS, `${row.id} ${sender.id}`);
  const code = mayTry ? codeIn(text) : null;
  const link = code === null ? null : await pair(database, code, { channel: row, chat, sender, now });
  if (!link) return sendAway(database, received, { chat, isAnswered: mayTry });
  await moveOffset(database, received);
  await announceChannels(services);
  const user = await database.user.findUnique({ where: { id: link.userId }, select: { name: true } });
  const secret = await createSecretAddress(database, open, link);
  const linked = `Linked to ${user?.name ?? "you"} in Ringmaster. What you write here starts runs with your rights.`;
  await say(open, chat, secret === null ? linked : `${linked}\n\n${SECRET_ADDRESS} ${secret}`);
}

async function sendAway(
  database: Database,
  received: Received,
  { chat, isAnswered }: { readonly chat: Chat; readonly isAnswered: boolean },
): Promise<void> {
  const { row, open, now } = received;
  if (isAnswered && !(await isNew(database, received, row.id))) return;
  if (!isAnswered) await moveOffset(database, received);
  await rejectUpdate(database, {
    channelId: row.id,
    kind: "stranger",
    detail: "one fixed sentence, no model call",
    now,
  });
  if (isAnswered) await say(open, chat, STRANGER);
}

async function takesRate(
  services: Services,
  rate: { name: string; limit: number; windowMs: number },
  key: string,
): Promise<boolean> {
  try {
    await takeRate(services, rate, key);
    return true;
  } catch (error) {
    if (error instanceof AppError && error.code === "rate_limited") return false;
    throw error;
  }
}

async function refusePaused(
  services: Services,
  received: Received,
  { link, message, why }: Linked & { readonly why: string },
): Promise<void> {
  if (!(await note(services.database, received, { triggerId: link.id, state: "refused", reason: why }))) return;
  await rejectUpdate(services.database, { channelId: link.channelId, kind: "paused", detail: why, now: received.now });
  if (!(await takesRate(services, PAUSED, link.id))) return;
  await say(
    received.open,
    message.chat,
    "Nothing starts from here now: your account may not start runs. Ask an administrator.",
  );
}

/** Turns the message into a firing with its text, and the firing into a run in the chat's thread. */
async function startMessage(services: Services, received: Received, { link, message }: Linked): Promise<void> {
  const { database } = services;
  const { open, update, now } = received;
  const where = { triggerId_key: { triggerId: link.id, key: `update:${update.id}` } };
  const isKnown = (await database.firing.findUnique({ where, select: { id: true } })) !== null;
  const { perHour } = open.channel.limits;
  if (
    !isKnown &&
    perHour !== undefined &&
    !(await takesRate(services, { name: "channel-hour", limit: perHour, windowMs: HOUR_MS }, link.id))
  ) {
    await note(database, received, {
      triggerId: link.id,
      state: "refused",
      reason: `More than ${perHour} an hour.`,
    });
    return rejectUpdate(database, {
      channelId: link.channelId,
      kind: "refused",
      detail: "too many in an hour",
      now,
    });
  }
  const threadId = isKnown ? null : await openThread(services, { received, link, message });
  const whole = threadId === null ? message : await withCitation(database, { received, link, message }, threadId);
  const waiting = threadId === null ? [] : await selectWaitingRuns(database, threadId);
  const stored = await storeMessage(services, received, { link, message: asHeard(whole), threadId, isKnown });
  if (stored === null) return;
  if (stored.key !== null) await beginRun(services, received, { link, message, key: stored.key }, now);
  if (waiting.some(waitsForPeople)) await say(open, message.chat, DECIDE_FIRST);
}

/** In a group, the agent is told whose message it is. */
function asHeard(message: InboundMessage): InboundMessage {
  if (message.chat.kind !== "group") return message;
  return { ...message, text: `${message.sender.name}: ${message.text}`.trimEnd() };
}

interface Storing extends Linked {
  readonly threadId: string | null;
  /** It was stored before: only the offset moves. */
  readonly isKnown: boolean;
}

interface Stored {
  /** The key of the firing to begin; null if it waits for more and begins by itself. */
  readonly key: string | null;
}

/** Stores the message as a firing; null if it has been stored before. */
async function storeMessage(services: Services, received: Received, storing: Storing): Promise<Stored | null> {
  const { link, message, threadId, isKnown } = storing;
  if (!isKnown && threadId !== null && message.part !== undefined) {
    const isFirst = await beginParts(services, received, { link, message, threadId, part: message.part });
    return isFirst ? { key: null } : null;
  }
  const prompt =
    isKnown || threadId === null ? message.text : await storeFiles(services, threadId, link.userId, message);
  const claimed = { triggerId: link.id, state: "claimed", prompt, threadId, answerKey: message.answerKey ?? null };
  const isFirst = await note(services.database, received, claimed, [noteLinkUsedStatement(link.id, received.now)]);
  return isFirst ? { key: `update:${received.update.id}` } : null;
}

interface Place extends Linked {
  readonly received: Received;
}

/** The thread of the message being answered, otherwise the chat's own; null if it has none yet. */
async function threadOf(database: Database, { received, link, message }: Place): Promise<string | null> {
  const answered = message.replyTo === undefined ? null : await answeredThread(database, { received, link, message });
  for (const id of [answered, link.threadId]) {
    if (!id) continue;
    const where = { id, ownerId: link.userId, deletedAt: null, parentThreadId: null };
    if ((await database.thread.count({ where })) > 0) return id;
  }
  return null;
}

/** The thread of the bot's message that is answered, otherwise of the person's own that began it or was there before. */
async function answeredThread(database: Database, { received, link, message }: Place): Promise<string | null> {
  const { replyTo, answersUpdate, answerKey } = message;
  const sent = await database.channelMessage.findFirst({
    where: { channelId: received.row.id, externalChat: message.chat.id, messageId: replyTo },
    select: { threadId: true },
    orderBy: { createdAt: "desc" },
  });
  if (sent) return sent.threadId;
  if (answersUpdate === undefined) return null;
  const said = await database.firing.findFirst({
    where: {
      triggerId: link.id,
      threadId: { not: null },
      OR: [{ key: `update:${answersUpdate}` }, ...(answerKey === undefined ? [] : [{ answerKey }])],
    },
    select: { threadId: true },
    orderBy: [{ dueAt: "desc" }, { id: "desc" }],
  });
  return said?.threadId ?? null;
}

/** The message with what it cites, unless it answers a message of this thread, which the agent has. */
async function withCitation(database: Database, place: Place, threadId: string): Promise<InboundMessage> {
  const { message } = place;
  const { cites, replyTo } = message;
  if (!cites) return message;
  if (!cites.isSelected && replyTo !== undefined && (await answeredThread(database, place)) === threadId)
    return message;
  return withCited(message);
}

async function openThread(services: Services, place: Place): Promise<string | null> {
  const { link, message } = place;
  const known = message.beginsThread ? null : await threadOf(services.database, place);
  if (known !== null) return known;
  try {
    const { id } = await createThread(services, { id: link.userId }, link.agentId);
    await services.database.channelLink.update({
      where: { id: link.id },
      data: { threadId: id },
      select: { id: true },
    });
    return id;
  } catch (error) {
    // The agent is gone: the firing reports that.
    if (error instanceof AppError && error.code === "not_found") return null;
    throw error;
  }
}

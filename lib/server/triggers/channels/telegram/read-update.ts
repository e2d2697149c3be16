import type { Message, MessageEntity, Update, User } from "grammy/types";
import { logger } from "@/lib/server/platform/logger";
import type { Chat, Connection, InboundMessage, InboundUpdate, Sender } from "@/lib/server/triggers/channels/channel";
import { COMMENT, FORWARDED } from "@/lib/server/triggers/channels/parts";
import { citationIn, forwardIn } from "./cited-message";
import { describeContent } from "./describe-content";
import { filesOfMessage } from "./message-files";
import { markdownOf, type Span } from "./message-text";
import { richContentOf } from "./rich-message";
import { credentialsOf } from "./telegram-api";
import { chatIdOf } from "./telegram-chat";
import { knownUpdate } from "./update-fields";

/**
 * Translates updates of the Bot API to the common form of all channels. One that can't be read is refused by itself: the
 * ones after it would never be asked for. Something without a number is left out.
 */
export function readUpdates(connection: Connection, updates: readonly unknown[]): InboundUpdate[] {
  return updates.flatMap((update) => {
    const known = knownUpdate(update);
    return known === null ? [] : readUpdate(connection, known);
  });
}

function readUpdate(connection: Connection, update: Update): InboundUpdate {
  const read = { id: String(update.update_id), offset: String(update.update_id + 1) };
  try {
    return readKnown(connection, update, read);
  } catch (error) {
    logger().warn({ err: error, channelId: connection.channelId }, "could not read an update of Telegram");
    return { ...read, refused: "It has a form that is not known here." };
  }
}

type Place = Pick<InboundUpdate, "id" | "offset">;

function readKnown(connection: Connection, update: Update, read: Place): InboundUpdate {
  if (update.message) {
    const moved = moveIn(update.message);
    if (moved) return { ...read, moved };
    const message = readMessage(connection, update.message);
    return message ? { ...read, message } : read;
  }
  const { callback_query: press } = update;
  if (!press?.message || press.data === undefined) return read;
  return {
    ...read,
    press: {
      chat: readChat(press.message as Message, press.from),
      sender: readSender(press.from),
      messageId: String(press.message.message_id),
      data: press.data,
      answerTo: press.id,
    },
  };
}

/** A group that became a supergroup: each of the two says so. */
function moveIn({ chat, migrate_to_chat_id: to, migrate_from_chat_id: from }: Message): InboundUpdate["moved"] {
  if (to !== undefined) return { from: String(chat.id), to: String(to) };
  return from === undefined ? undefined : { from: String(from), to: String(chat.id) };
}

function readMessage(connection: Connection, message: Message): InboundMessage | null {
  const { from, reply_to_message: answered } = message;
  // A post of the group's channel, which Telegram puts into the group, is nobody's message.
  if (!from || from.is_bot || message.is_automatic_forward === true) return null;
  const text = message.text ?? message.caption ?? "";
  const files = filesOfMessage(connection, message);
  const rich = richContentOf(message);
  const entities = message.entities ?? message.caption_entities ?? [];
  const mention = findMention(connection, text, entities);
  const forward = forwardIn(message);
  const written = [markdownOf(text, entities, mention ?? undefined), rich.text, describeContent(message)]
    .filter(Boolean)
    .join("\n");
  const cites = forward ?? citationIn(connection, message);
  if (text === "" && written === "" && files.length === 0) return null;
  const replyTo = answeredOwn(connection, answered);
  return {
    chat: readChat(message, from),
    sender: readSender(from),
    text: forward ? "" : written,
    files,
    isMentioned: mention !== null || replyTo !== null || rich.mentions.some((name) => isNamed(connection, name)),
    ...(replyTo === null ? {} : { replyTo }),
    ...(cites ? { cites } : {}),
    ...partOf(message),
  };
}

/** The bot's own message that is answered. */
function answeredOwn(connection: Connection, answered: Message | undefined): string | null {
  const botId = Number(credentialsOf(connection).token.split(":")[0]);
  // Every message of a topic names the one that opened it.
  if (answered?.from?.id !== botId || answered.forum_topic_created !== undefined) return null;
  return String(answered.message_id);
}

/** Programs cut longer texts into several messages, a little below Telegram's limit of 4,096. */
const CUT_CHARACTERS = 3_900;

/**
 * What a person sends as one and Telegram delivers as several: an album, a long text, messages passed on together, and
 * the comment of whoever passes something on, which comes first and looks like any other text.
 */
function partOf(message: Message): Pick<InboundMessage, "part" | "joins"> {
  const { media_group_id: album, text = "", forward_origin: origin, reply_to_message: answered } = message;
  const commented = origin ? [COMMENT] : [];
  if (album !== undefined) return { part: `album:${album}`, joins: [`album:${album}`, ...commented] };
  if (origin) return { part: FORWARDED, joins: [FORWARDED, COMMENT] };
  if (text.length >= CUT_CHARACTERS) return { part: "long" };
  return text === "" || answered ? {} : { part: COMMENT, joins: [FORWARDED] };
}

function readSender(from: User): Sender {
  return { id: String(from.id), name: [from.first_name, from.last_name].filter(Boolean).join(" ") };
}

function readChat(message: Message, from: User): Chat {
  const { chat, reply_to_message: answered, direct_messages_topic: direct } = message;
  const id = chatIdOf(message);
  const within = id === String(chat.id) ? {} : { topicOf: String(chat.id) };
  if (chat.type === "private") {
    const name = from.username === undefined ? readSender(from).name : `@${from.username}`;
    return { id, kind: "direct", name, ...within };
  }
  const forum = id === String(chat.id) ? undefined : answered?.forum_topic_created?.name;
  const topic = direct?.user ? readSender(direct.user).name : forum;
  return { id, kind: "group", name: [chat.title ?? "A group", topic].filter(Boolean).join(" · "), ...within };
}

function isNamed({ username }: Connection, mention: string): boolean {
  return mention.toLowerCase() === username?.toLowerCase();
}

/** The position at which the bot is named: `@lab_bot`, or after a command (`/stop@lab_bot`). */
function findMention({ username }: Connection, text: string, entities: readonly MessageEntity[]): Span | null {
  if (username === null) return null;
  const name = username.toLowerCase();
  for (const { type, offset, length } of entities) {
    if (type !== "mention" && type !== "bot_command") continue;
    const end = offset + length;
    const named = text.slice(offset, end).toLowerCase();
    if (named.endsWith(name)) return { start: end - name.length, end };
  }
  return null;
}

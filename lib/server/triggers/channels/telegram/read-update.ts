import type { Message, MessageEntity, Update, User } from "grammy/types";
import type {
  Chat,
  Connection,
  InboundFile,
  InboundMessage,
  InboundUpdate,
  Sender,
} from "@/lib/server/triggers/channels/channel";
import { credentialsOf, downloadFile } from "./telegram-api";

/** The largest file that the Bot API lets a bot download. */
export const MAX_FILE_BYTES = 20_000_000;

/** Translates an update of the Bot API to the common form of all channels. */
export function readUpdate(connection: Connection, update: Update): InboundUpdate {
  const read = { id: String(update.update_id), offset: String(update.update_id + 1) };
  if (update.message) {
    const message = readMessage(connection, update.message);
    return message ? { ...read, message } : read;
  }
  const { callback_query: press } = update;
  if (!press?.message || press.data === undefined) return read;
  return {
    ...read,
    press: {
      chat: readChat(press.message.chat, press.from),
      sender: readSender(press.from),
      messageId: String(press.message.message_id),
      data: press.data,
      answerTo: press.id,
    },
  };
}

function readMessage(connection: Connection, message: Message): InboundMessage | null {
  const { from, reply_to_message: answered } = message;
  if (!from || from.is_bot) return null;
  const text = message.text ?? message.caption ?? "";
  const files = filesOf(connection, message);
  if (text === "" && files.length === 0) return null;
  const botId = Number(credentialsOf(connection).token.split(":")[0]);
  const entities = message.entities ?? message.caption_entities ?? [];
  const mention = findMention(connection, text, entities);
  return {
    chat: readChat(message.chat, from),
    sender: readSender(from),
    text: mention === null ? text : withoutMention(text, mention),
    files,
    isMentioned: mention !== null || answered?.from?.id === botId,
    ...(answered && answered.from?.id === botId ? { replyTo: String(answered.message_id) } : {}),
  };
}

function readSender(from: User): Sender {
  return { id: String(from.id), name: [from.first_name, from.last_name].filter(Boolean).join(" ") };
}

function readChat(chat: Message["chat"], from: User): Chat {
  const id = String(chat.id);
  if (chat.type === "private") {
    return { id, kind: "direct", name: from.username === undefined ? readSender(from).name : `@${from.username}` };
  }
  return { id, kind: "group", name: chat.title ?? "A group" };
}

interface Place {
  readonly start: number;
  readonly end: number;
}

/** The position at which the bot is named: `@lab_bot`, or after a command (`/stop@lab_bot`). */
function findMention({ username }: Connection, text: string, entities: readonly MessageEntity[]): Place | null {
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

function withoutMention(text: string, { start, end }: Place): string {
  return `${text.slice(0, start)}${text.slice(end)}`.replace(/ {2,}/g, " ").trim();
}

interface Attached {
  readonly file_id: string;
  readonly file_size?: number;
  readonly file_name?: string;
}

function filesOf(connection: Connection, message: Message): InboundFile[] {
  const { document, audio, voice, video, message_id: id } = message;
  const photo = message.photo?.at(-1);
  const found: [Attached, string][] = [
    ...(photo ? [[photo, `photo-${id}.jpg`] as [Attached, string]] : []),
    ...(document ? [[document, `file-${id}`] as [Attached, string]] : []),
    ...(audio ? [[audio, `audio-${id}.mp3`] as [Attached, string]] : []),
    ...(voice ? [[voice, `voice-${id}.ogg`] as [Attached, string]] : []),
    ...(video ? [[video, `video-${id}.mp4`] as [Attached, string]] : []),
  ];
  return found.map(([file, name]) => ({
    name: file.file_name ?? name,
    sizeBytes: file.file_size ?? null,
    read: (signal) => downloadFile(connection, file.file_id, { maxBytes: MAX_FILE_BYTES, signal }),
  }));
}

import type { Message } from "grammy/types";

const SEPARATOR = "/";
/** Before the number of a topic in the direct messages of a channel, which are one chat for all who write to it. */
const DIRECT = "direct-";

/**
 * A chat's id, or that of a topic in it: the topics of a forum are conversations of their own, as is what each person
 * writes to a channel.
 */
export function chatIdOf(message: Message): string {
  const { chat, message_thread_id: topic, is_topic_message: isInTopic, direct_messages_topic: direct } = message;
  if (direct !== undefined) return `${chat.id}${SEPARATOR}${DIRECT}${direct.topic_id}`;
  // Outside forums, the number only says which messages answer each other.
  return isInTopic === true && topic !== undefined ? `${chat.id}${SEPARATOR}${topic}` : String(chat.id);
}

interface Place {
  readonly chat: string;
  readonly topic: { readonly message_thread_id?: number; readonly direct_messages_topic_id?: number };
}

/** Where to send for the id of a chat or topic. */
export function placeOf(chatId: string): Place {
  const [chat = "", topic] = chatId.split(SEPARATOR);
  if (topic === undefined) return { chat, topic: {} };
  if (!topic.startsWith(DIRECT)) return { chat, topic: { message_thread_id: Number(topic) } };
  return { chat, topic: { direct_messages_topic_id: Number(topic.slice(DIRECT.length)) } };
}

import type { Message } from "grammy/types";

const SEPARATOR = "/";

/** A chat's id, or that of a topic in it: the topics of a forum are conversations of their own. */
export function chatIdOf({ chat, message_thread_id: topic, is_topic_message: isInTopic }: Message): string {
  // Outside forums, the number only says which messages answer each other.
  return isInTopic === true && topic !== undefined ? `${chat.id}${SEPARATOR}${topic}` : String(chat.id);
}

/** Where to send for the id of a chat or topic. */
export function placeOf(chatId: string): { readonly chat: string; readonly topic: { message_thread_id?: number } } {
  const [chat = "", topic] = chatId.split(SEPARATOR);
  return { chat, topic: topic === undefined ? {} : { message_thread_id: Number(topic) } };
}

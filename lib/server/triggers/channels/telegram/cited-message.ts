import type { Message, MessageOrigin } from "grammy/types";
import type { Citation, Connection, InboundFile } from "@/lib/server/triggers/channels/channel";
import { citedText } from "@/lib/server/triggers/channels/cited-text";
import { type Content, describeContent } from "./describe-content";
import { filesOf, filesOfMessage } from "./message-files";
import { markdownOf } from "./message-text";
import { richContentOf } from "./rich-message";

/** What a message refers to: a message that it answers, here or in another chat, or a part of one; null if nothing. */
export function citationIn(connection: Connection, message: Message): Citation | null {
  const { quote } = message;
  const selected = quote?.is_manual === true ? markdownOf(quote.text, quote.entities ?? []) : "";
  const answered = answeredIn(connection, message);
  if (selected === "") return answered && cited({ ...answered, how: "Answering", isSelected: false });
  const author = answered?.author ?? "someone";
  return cited({ how: "Selected from", author, text: selected, files: answered?.files ?? [], isSelected: true });
}

interface Answered {
  readonly author: string;
  readonly text: string;
  readonly files: readonly InboundFile[];
}

function answeredIn(connection: Connection, message: Message): Answered | null {
  const { reply_to_message: answered, external_reply: external, reply_to_story: story, quote } = message;
  if (answered && isCitable(answered)) {
    const files = filesOfMessage(connection, answered as Message);
    return { author: authorOf(answered), text: wordsOf(answered), files };
  }
  if (external) {
    // Of another chat, Telegram brings only what was quoted.
    const text = joined([quote ? markdownOf(quote.text, quote.entities ?? []) : null, describeContent(external)]);
    const files = filesOf(connection, external, external.message_id ?? message.message_id);
    return { author: originName(external.origin), text, files };
  }
  return story ? { author: story.chat.title ?? "someone", text: "[Story]", files: [] } : null;
}

/** A message that was passed on to the bot, as someone else's words; null for any other. */
export function forwardIn(message: Message): Citation | null {
  const { forward_origin: origin } = message;
  if (!origin) return null;
  return cited({
    how: "Forwarded from",
    author: originName(origin),
    text: wordsOf(message) || "[File]",
    files: [],
    isSelected: true,
  });
}

/** The text of a message, and what it is besides. */
function wordsOf(message: Message): string {
  const { text, caption, entities, caption_entities: captionEntities } = message;
  const written = markdownOf(text ?? caption ?? "", entities ?? captionEntities ?? []);
  return joined([written, richContentOf(message).text, describeContent(message as Content)]);
}

/** The first message of a topic is no one's words, and every message of the topic names it. */
function isCitable(answered: Message): boolean {
  return answered.forum_topic_created === undefined;
}

interface Cited extends Answered {
  readonly how: string;
  readonly isSelected: boolean;
}

function cited({ how, author, text, files, isSelected }: Cited): Citation | null {
  if (text === "" && files.length === 0) return null;
  return { text: citedText({ label: `${how} ${author}`, text: text || "[File]" }), files, isSelected };
}

function authorOf({ from, sender_chat: chat, forward_origin: origin, author_signature: signature }: Message): string {
  const name = chat?.title ?? signature ?? nameOf(from);
  return origin ? `${name}, who forwarded it from ${originName(origin)}` : name;
}

function originName(origin: MessageOrigin): string {
  switch (origin.type) {
    case "user":
      return nameOf(origin.sender_user);
    case "hidden_user":
      return origin.sender_user_name;
    case "chat":
      return titleOf(origin.sender_chat, origin.author_signature);
    case "channel":
      return titleOf(origin.chat, origin.author_signature);
    default:
      return "someone";
  }
}

function titleOf(chat: { readonly title?: string }, signature: string | undefined): string {
  return [chat.title ?? "a chat", signature].filter(Boolean).join(", ");
}

function nameOf(user: { readonly first_name: string; readonly last_name?: string } | undefined): string {
  return user ? [user.first_name, user.last_name].filter(Boolean).join(" ") : "someone";
}

function joined(parts: readonly (string | null)[]): string {
  return parts.filter(Boolean).join("\n");
}

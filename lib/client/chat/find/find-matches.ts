import { type ChatMessage, messageText } from "@/lib/client/chat/chat-message";
import { withoutMarks } from "@/lib/client/ui/markdown/without-marks";
import { fold } from "@/lib/schema/fold";

/** One occurrence: the `nth` in the message with this id, from 0. */
export interface FoundMatch {
  readonly messageId: string;
  readonly nth: number;
}

const texts = new WeakMap<ChatMessage, string>();

/** Every occurrence of the words in what people and agents wrote, in order; in any case, with or without accents. */
export function findMatches(messages: readonly ChatMessage[], words: string): FoundMatch[] {
  const wanted = fold(words);
  if (wanted.trim() === "") return [];
  return messages.flatMap((message) => {
    const text = readableText(message);
    const found: FoundMatch[] = [];
    for (let at = text.indexOf(wanted); at !== -1; at = text.indexOf(wanted, at + wanted.length)) {
      found.push({ messageId: message.id, nth: found.length });
    }
    return found;
  });
}

/** The text as displayed, so that matches span bold text and links. A message is a new object when it changes. */
function readableText(message: ChatMessage): string {
  const known = texts.get(message);
  if (known !== undefined) return known;
  const whole = messageText(message);
  const text = fold(message.role === "user" ? whole : withoutMarks(whole));
  texts.set(message, text);
  return text;
}

import type { ChatMessage } from "./chat-message";

/** The transcript's size until it is measured: on the server, and as a page comes alive. */
export const ASSUMED_RECT = { width: 776, height: 900 };
/** So many rows beside those in view are drawn. */
export const OVERSCAN = 4;

const LINE_PX = 24;
/** As many as a line has room for on a large screen. */
const LINE_CHARACTERS = 90;
const QUESTION_PX = 80;
const SHORTEST_REPLY_PX = 320;

/** More of a text adds nothing: so much is enough for any screen. */
const MOST_READ = 20_000;

/** Asked for every row that is not measured, each time that the transcript changes. */
const known = new WeakMap<ChatMessage, number>();

/** Roughly a message's height, until it is measured. Taken for shorter than they are, too many would be drawn. */
export function roughHeight(message: ChatMessage | undefined): number {
  if (message === undefined) return SHORTEST_REPLY_PX;
  if (message.role === "user") return QUESTION_PX;
  const height = known.get(message) ?? heightOf(message);
  known.set(message, height);
  return height;
}

function heightOf({ parts }: ChatMessage): number {
  const lines = parts.reduce((sum, part) => sum + (part.type === "text" ? linesOf(part.text) : 0), 0);
  return Math.max(SHORTEST_REPLY_PX, Math.round(lines * LINE_PX));
}

function linesOf(whole: string): number {
  const text = whole.slice(0, MOST_READ);
  return text.split("\n").length + text.length / LINE_CHARACTERS;
}

/** The last messages, which a transcript that opens at its end draws before it is measured. */
export function firstDrawn(messages: readonly ChatMessage[]): readonly ChatMessage[] {
  let first = messages.length;
  for (let height = 0; first > 0 && height < ASSUMED_RECT.height; first -= 1)
    height += roughHeight(messages[first - 1]);
  return messages.slice(Math.max(0, first - OVERSCAN));
}

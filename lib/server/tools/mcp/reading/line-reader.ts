import { stripVTControlCharacters } from "node:util";
import { type JsonObject, readMessages } from "./read-message";

const MAX_LINE_CHARS = 16 * 2 ** 20;
/** A longer line is read only at its end: each chunk of it would be read again. */
const MAX_UNENDED_CHARS = 2 ** 20;

/** Reads a program's output as messages, one a line. */
export interface LineReader {
  /** The messages that this chunk completes; null once a line is longer than any message may be. */
  read(chunk: Uint8Array): JsonObject[] | null;
}

/**
 * A line that is no message, such as a greeting, is skipped. A message counts as soon as it is whole, since some programs
 * end no line.
 */
export function createLineReader(): LineReader {
  const decoder = new TextDecoder();
  let begun: string[] = [];
  let chars = 0;
  return {
    read(chunk) {
      const [first = "", ...others] = decoder.decode(chunk, { stream: true }).split("\n");
      begun.push(first);
      chars += first.length;
      if (chars > MAX_LINE_CHARS) return null;
      const last = others.pop();
      const complete = last === undefined ? [] : [begun.join(""), ...others];
      if (last !== undefined) {
        begun = [last];
        chars = last.length;
      }
      const unended = chars > MAX_UNENDED_CHARS || !mayEndMessage(begun.at(-1)) ? [] : readLine(begun.join(""));
      if (unended.length > 0) {
        begun = [];
        chars = 0;
      }
      return [...complete.flatMap(readLine), ...unended];
    },
  };
}

function mayEndMessage(text = ""): boolean {
  return text.endsWith("}") || text.endsWith("]");
}

/** Without the colours of a terminal, and what else a program may write around a message. */
function bare(line: string): string {
  return stripVTControlCharacters(line).replaceAll("\uFEFF", "").replaceAll("\0", "");
}

function readLine(line: string): JsonObject[] {
  // A line of anything else is told without the parser, whose errors take long to make.
  if (!line.includes("{")) return [];
  return parsed(line) ?? parsed(bare(line)) ?? [];
}

function parsed(line: string): JsonObject[] | undefined {
  try {
    return readMessages(JSON.parse(line));
  } catch {
    return undefined;
  }
}

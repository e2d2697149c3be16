import { type JsonObject, readMessages } from "./read-message";

const MAX_LINE_CHARS = 16 * 2 ** 20;

/** Reads a program's output as messages, one a line. */
export interface LineReader {
  /** The messages that this chunk completes; null once a line is longer than any message may be. */
  read(chunk: Uint8Array): JsonObject[] | null;
}

/** A line that is no message, such as a greeting, is skipped. */
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
      if (last === undefined) return [];
      const complete = [begun.join(""), ...others];
      begun = [last];
      chars = last.length;
      return complete.flatMap(readLine);
    },
  };
}

function readLine(line: string): JsonObject[] {
  try {
    return readMessages(JSON.parse(line));
  } catch {
    return [];
  }
}

import { nextTask } from "@/lib/client/http/load-in-pieces";
import { type MarkdownPieces, MarkdownReader } from "./markdown-reader";

const ahead = new Map<string, MarkdownPieces | null>();

/** Reads texts that will be drawn soon, with a pause after each: all at once, they would keep a phone busy. */
export async function readAhead(texts: readonly string[]): Promise<void> {
  for (const text of texts) {
    ahead.set(text, new MarkdownReader().read(text, false, undefined));
    await nextTask();
  }
}

/** Undefined for a text that was not read ahead. */
export function wasRead(text: string): MarkdownPieces | null | undefined {
  return ahead.get(text);
}

/** Once they are drawn. */
export function forgetRead(): void {
  ahead.clear();
}

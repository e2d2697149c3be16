import { nextTask } from "@/lib/client/http/load-in-pieces";
import { type MarkdownPieces, MarkdownReader } from "./markdown-reader";

const ahead = new Map<string, MarkdownPieces | null>();

/** A fifth of what a frame lasts: phones take four times as long for the same work, or more. */
const SLICE_MS = 3;

/** One of each kind of block: otherwise the first text that has one waits for its expressions to be compiled. */
const FIRST_BLOCKS = ["a\nb", "> a", "# a", "- a\n- b", "| a |\n| - |\n| b |", "**a** `b` *c* [d](e)"];

/**
 * Reads texts that will be drawn soon, in tasks of their own and with pauses: all at once, they would keep a phone busy.
 */
export async function readAhead(texts: readonly string[]): Promise<void> {
  if (texts.length === 0) return;
  for (const text of FIRST_BLOCKS) await readWithPauses(text);
  for (const text of texts) ahead.set(text, await readWithPauses(text));
  await nextTask();
}

async function readWithPauses(text: string): Promise<MarkdownPieces | null> {
  await nextTask();
  const steps = new MarkdownReader().readInSteps(text);
  let begunAt = performance.now();
  for (let step = steps.next(); ; step = steps.next()) {
    if (step.done) return step.value;
    if (performance.now() - begunAt < SLICE_MS) continue;
    await nextTask();
    begunAt = performance.now();
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

import { formatCount } from "@/lib/client/ui/text/format";
import type { MemoryLineUses } from "@/lib/schema/files/memory";

/** How often a line was in a prompt, in one sentence or two. */
export function usedText({ prompts, threads, otherThreads }: MemoryLineUses): string {
  if (prompts === 0) return "It was in no prompt that is recorded.";
  const all = threads.length + otherThreads;
  const used = `It was in ${countOf(prompts, "prompt")} of ${countOf(all, "thread")}.`;
  if (otherThreads === 0) return used;
  return `${used} You can't open ${threads.length === 0 ? (all === 1 ? "it" : "them") : formatCount(otherThreads)}.`;
}

/** What withdrawing a line changes, in two sentences. */
export function changedText({ changedThreads }: MemoryLineUses): string {
  const changed =
    changedThreads === 0
      ? "The next prompt of no thread changes."
      : `The next prompt of ${countOf(changedThreads, "thread")} changes.`;
  return `${changed} Replies that were given stay, and the history can restore the line.`;
}

function countOf(count: number, word: string): string {
  return `${formatCount(count)} ${word}${count === 1 ? "" : "s"}`;
}

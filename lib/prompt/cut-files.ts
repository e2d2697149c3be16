import { PROMPT_FILE_NAMES, type PromptFileName } from "@/lib/schema/prompt";

/** Characters of one bootstrap file, and of all of them together. */
const MAX_FILE_CHARS = 20_000;
const MAX_TOTAL_CHARS = 24_000;
const HEAD_SHARE = 0.7;
const TAIL_SHARE = 0.2;
/** A file that would be left with less says nothing worth its place. */
const MIN_SHARE_CHARS = 1_000;

/**
 * The bootstrap files as the prompt holds them, in their order: of one that is too long the first 70% and the last 20%
 * of what it may take, with a marker between them.
 */
export function cutPromptFiles(files: ReadonlyMap<PromptFileName, string>): Map<PromptFileName, string> {
  const kept = new Map<PromptFileName, string>();
  let left = MAX_TOTAL_CHARS;
  for (const name of PROMPT_FILE_NAMES) {
    const text = files.get(name)?.trim();
    if (!text) continue;
    const cut = cutText(name, text, Math.min(MAX_FILE_CHARS, left));
    left -= cut.length;
    if (cut !== "") kept.set(name, cut);
  }
  return kept;
}

function cutText(name: PromptFileName, text: string, maxChars: number): string {
  if (text.length <= maxChars) return text;
  if (maxChars < MIN_SHARE_CHARS) return "";
  const head = text.slice(0, Math.floor(maxChars * HEAD_SHARE)).toWellFormed();
  const tail = text.slice(text.length - Math.floor(maxChars * TAIL_SHARE)).toWellFormed();
  const marker = `\n\n[... ${text.length - head.length - tail.length} characters of ${name} are left out here ...]\n\n`;
  return `${head}${marker}${tail}`;
}

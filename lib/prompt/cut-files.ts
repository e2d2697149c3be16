import type { PromptFilesConfig } from "@/lib/schema/agents/agent-config-texts";
import { PROMPT_FILE_NAMES, type PromptFileName } from "@/lib/schema/agents/prompt";

/** A file with less space than this is not worth including. */
const MIN_SHARE_CHARS = 1_000;

/**
 * The bootstrap files as included in the prompt, in order. A file that is too long is cut to the first and last part of
 * its share (`prompt.files`: 70% and 20%), with a marker in between.
 */
export function cutPromptFiles(
  files: ReadonlyMap<PromptFileName, string>,
  limits: PromptFilesConfig,
): Map<PromptFileName, string> {
  const kept = new Map<PromptFileName, string>();
  let left = limits.max_total_chars;
  for (const name of PROMPT_FILE_NAMES) {
    const text = files.get(name)?.trim();
    if (!text) continue;
    const cut = cutText(name, text, { ...limits, max_chars: Math.min(limits.max_chars, left) });
    left -= cut.length;
    if (cut !== "") kept.set(name, cut);
  }
  return kept;
}

/** The part of a file that the prompt omits: characters from `from` up to `to`; null if it includes the whole file. */
export function findCut(
  name: PromptFileName,
  files: ReadonlyMap<PromptFileName, string>,
  limits: PromptFilesConfig,
): { readonly from: number; readonly to: number } | null {
  const before = PROMPT_FILE_NAMES.slice(0, PROMPT_FILE_NAMES.indexOf(name));
  const kept = cutPromptFiles(new Map([...files].filter(([other]) => before.includes(other))), limits);
  const left = limits.max_total_chars - [...kept.values()].reduce((sum, text) => sum + text.length, 0);
  const whole = files.get(name) ?? "";
  const text = whole.trim();
  const maxChars = Math.min(limits.max_chars, left);
  if (text.length <= maxChars) return null;
  if (maxChars < MIN_SHARE_CHARS) return { from: 0, to: whole.length };
  const start = whole.indexOf(text);
  const { head, tail } = keptEnds(text, { ...limits, max_chars: maxChars });
  return { from: start + head.length, to: start + text.length - tail.length };
}

function keptEnds(text: string, { max_chars: maxChars, head_ratio: head, tail_ratio: tail }: PromptFilesConfig) {
  return {
    head: text.slice(0, Math.floor(maxChars * head)).toWellFormed(),
    tail: text.slice(text.length - Math.floor(maxChars * tail)).toWellFormed(),
  };
}

function cutText(name: PromptFileName, text: string, limits: PromptFilesConfig): string {
  if (text.length <= limits.max_chars) return text;
  if (limits.max_chars < MIN_SHARE_CHARS) return "";
  const { head, tail } = keptEnds(text, limits);
  const marker = `\n\n[... ${text.length - head.length - tail.length} characters of ${name} are left out here ...]\n\n`;
  return `${head}${marker}${tail}`;
}

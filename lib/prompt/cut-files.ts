import type { PromptFilesConfig } from "@/lib/schema/agents/agent-config-texts";
import { PROMPT_FILE_NAMES, type PromptFileName } from "@/lib/schema/agents/prompt";

/** A file with fewer characters left says nothing worth its space. */
const MIN_SHARE_CHARS = 1_000;

/**
 * The bootstrap files as the prompt contains them, in order. A file that is too long keeps the first and last part of
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

function cutText(name: PromptFileName, text: string, limits: PromptFilesConfig): string {
  const { max_chars: maxChars, head_ratio: headRatio, tail_ratio: tailRatio } = limits;
  if (text.length <= maxChars) return text;
  if (maxChars < MIN_SHARE_CHARS) return "";
  const head = text.slice(0, Math.floor(maxChars * headRatio)).toWellFormed();
  const tail = text.slice(text.length - Math.floor(maxChars * tailRatio)).toWellFormed();
  const marker = `\n\n[... ${text.length - head.length - tail.length} characters of ${name} are left out here ...]\n\n`;
  return `${head}${marker}${tail}`;
}

import { AppError } from "@/lib/schema/app-error";

const MAX_CHARS = 80;

/**
 * A model's answer as a title: its first line with words, without quotation marks, markup and the word "Title". Throws
 * if nothing is left.
 */
export function cleanTitle(answer: string): string {
  const line = answer.split("\n").find((text) => /[\p{L}\p{N}]/u.test(text)) ?? "";
  const bare = line
    .replace(/^[\s#>*_`~-]*(?:title\s*[:：]\s*)?/iu, "")
    .replaceAll(/[\p{Cc}`*]/gu, " ")
    .replaceAll(/\s+/gu, " ")
    .replace(/^["'“”„«»‘’「『\s]+|["'“”„«»‘’」』\s.。]+$/gu, "");
  if (bare === "") throw new AppError("model_failed", "The model gave no title.");
  if (bare.length <= MAX_CHARS) return bare;
  const cut = bare.slice(0, MAX_CHARS).toWellFormed();
  return `${cut.slice(0, Math.max(cut.lastIndexOf(" "), MAX_CHARS / 2))}…`;
}

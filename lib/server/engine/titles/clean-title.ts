import { AppError } from "@/lib/schema/app-error";

const MAX_CHARS = 80;

/**
 * A model's answer as a title: its first line with words, without quotation marks, markup and the word "Title". Throws
 * if nothing is left, or if it is too long for a title: then the model did something else.
 */
export function cleanTitle(answer: string): string {
  const line = answer.split("\n").find((text) => /[\p{L}\p{N}]/u.test(text)) ?? "";
  const bare = line
    .replace(/^[\s#>*_`~-]*(?:title\s*[:：]\s*)?/iu, "")
    .replaceAll(/[\p{Cc}`*]/gu, " ")
    .replaceAll(/\s+/gu, " ")
    .replace(/^["'“”„«»‘’「『\s]+|["'“”„«»‘’」』\s.。]+$/gu, "");
  if (bare === "" || bare.length > MAX_CHARS) throw new AppError("model_failed", "The model gave no title.");
  return bare;
}

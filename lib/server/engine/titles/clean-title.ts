import { AppError } from "@/lib/schema/app-error";
import { trimEndOf } from "@/lib/schema/trim-characters";

const MAX_CHARS = 80;
const MAX_ANSWER_CHARS = 20_000;
const THOUGHTS = ["think", "thinking", "thought", "antthinking", "reasoning"];

/**
 * A model's answer as a title: the title of a JSON answer or of a code block, otherwise its first line with words that
 * introduces nothing, without thoughts, quotation marks, markup and the word "Title". Throws if nothing is left, or if
 * it is too long for a title: then the model did something else.
 */
export function cleanTitle(answer: string): string {
  const text = withoutThoughts(answer.slice(0, MAX_ANSWER_CHARS));
  const line = titleInJson(text) ?? titleLine(text.split("\n"));
  const bare = bareTitle(line);
  if (bare === "" || bare.length > MAX_CHARS) throw new AppError("model_failed", "The model gave no title.");
  return bare;
}

/** What follows the last closing tag; nothing if a block of thoughts at the beginning never ends. */
function withoutThoughts(text: string): string {
  const lower = text.toLowerCase();
  for (const name of THOUGHTS) {
    const tag = `</${name}>`;
    const end = lower.lastIndexOf(tag);
    if (end >= 0) return text.slice(end + tag.length);
    if (lower.trimStart().startsWith(`<${name}>`)) return "";
  }
  const channel = lower.lastIndexOf("final<|message|>");
  return channel >= 0 ? text.slice(channel + "final<|message|>".length).replaceAll(/<\|[a-z]{1,20}\|>/g, " ") : text;
}

/** The title in the first JSON object or text of the answer, wherever it stands. */
function titleInJson(text: string): string | null {
  const begin = text.indexOf("{");
  const end = text.lastIndexOf("}");
  const value = begin >= 0 && end > begin ? readJson(text.slice(begin, end + 1)) : undefined;
  return titleOf(value, 0);
}

const FIELDS = ["title", "name", "thread_title", "threadtitle", "subject", "topic", "result", "answer", "output"];

function titleOf(value: unknown, depth: number): string | null {
  if (typeof value !== "object" || value === null || depth > 3) return null;
  const entries = Object.entries(value).map(([name, given]) => [name.toLowerCase(), given] as const);
  for (const field of FIELDS) {
    const found = entries.find(([name]) => name === field)?.[1];
    if (typeof found === "string") return found;
    const inner = titleOf(found, depth + 1);
    if (inner !== null) return inner;
  }
  const [only, ...others] = entries;
  return others.length === 0 && typeof only?.[1] === "string" ? only[1] : null;
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const CHATTER =
  /^[\s*_]*(?:sure|certainly|of course|absolutely|okay|ok|great|here(?:'s| is| are| you)|gerne|claro|voici)\b/iu;

/** A line that ends with a colon, or only says yes, introduces the next; the fences of a code block say nothing. */
function titleLine(lines: readonly string[]): string {
  const said = lines.filter((line) => /[\p{L}\p{N}]/u.test(line) && !/^\s*(?:```|~~~)/.test(line));
  const isIntroduction = (line: string, at: number) =>
    /[:：][\s*_"'`]*$/u.test(line) || (CHATTER.test(line) && at + 1 < said.length);
  return said.find((line, at) => !isIntroduction(line, at)) ?? "";
}

const LABEL =
  /^[\s#>*_`~"'“„«-]*(?:(?:thread |chat |conversation )?title|titel|titre|título|标题)[\s*_`"'”]*[:：][\s*_]*/iu;
const INTRODUCTION =
  /^[\s*_]*(?:sure|certainly|of course|okay|ok|here(?:'s| is)|the title (?:is|could|would)|a (?:good|possible|short|suitable) title|i (?:suggest|propose))\b[^:："“]{0,80}[:：]\s*(?=\S)/iu;
const QUOTED = /\btitle\b[^"“]{0,40}["“]([^"”]{1,80})["”]/iu;

function bareTitle(line: string): string {
  const title = line.replace(LABEL, "").replace(INTRODUCTION, "");
  const bare = (QUOTED.exec(title)?.[1] ?? title)
    .replace(/^[\s#>*_`~-]+/u, "")
    .replaceAll(/[\p{Cc}`*]/gu, " ")
    .replaceAll(/\s+/gu, " ")
    .replace(/^["'“”„«»‘’「『\s_]+/u, "");
  return trimEndOf(bare, /["'“”„«»‘’」』\s.。_]/u);
}

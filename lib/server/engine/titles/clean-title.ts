import { AppError } from "@/lib/schema/app-error";
import { trimEndOf } from "@/lib/schema/trim-characters";
import { titleInJson } from "./title-in-json";

const MAX_CHARS = 80;
const MAX_ANSWER_CHARS = 20_000;
/** How thoughts begin and end; harmony's only end, where the answer begins. */
const THOUGHTS: readonly (readonly [string, string])[] = [
  ...["think", "thinking", "thought", "antthinking", "reasoning", "seed:think"].map(
    (name) => [`<${name}>`, `</${name}>`] as const,
  ),
  ["[think]", "[/think]"],
  ["◁think▷", "◁/think▷"],
  ["<|start_thinking|>", "<|end_thinking|>"],
  ["<|begin_of_thought|>", "<|end_of_thought|>"],
  ["<|channel|>analysis", "final<|message|>"],
  ["analysis<|message|>", "assistantfinal"],
];
/** Of a model that says that it will not. */
const REFUSAL =
  /^(?:i.?m sorry|i am sorry|sorry,|i.?m unable|i am unable|i cannot|i can.?t|as an ai)\b.{0,60}\b(?:help|assist|provide|generate|create|title|language model|do that)\b/iu;

/**
 * A model's answer as a title: the title of a JSON answer or of a code block, otherwise its first line with words that
 * introduces nothing, without thoughts, quotation marks, markup and the word "Title". Throws if nothing is left, or if
 * it is a refusal or too long for a title: then the model did something else.
 */
export function cleanTitle(answer: string): string {
  const text = unwrapped(withoutThoughts(answer.slice(0, MAX_ANSWER_CHARS)));
  const line = titleInJson(text) ?? titleLine(text.split("\n"));
  const bare = bareTitle(line);
  if (bare === "" || bare.length > MAX_CHARS || REFUSAL.test(bare))
    throw new AppError("model_failed", "The model gave no title.");
  return bare;
}

/** What follows the last closing tag; nothing if a block of thoughts at the beginning never ends. */
function withoutThoughts(text: string): string {
  const lower = text.toLowerCase();
  for (const [opening, closing] of THOUGHTS) {
    const end = lower.lastIndexOf(closing);
    if (end >= 0) return text.slice(end + closing.length);
    if (lower.trimStart().startsWith(opening)) return "";
  }
  return text;
}

/** Special tokens of templates that a server did not remove. */
const TOKENS = /<\|[\w /]{1,30}\|>|<\/?s>|<(?:end|start)_of_turn>/giu;
const WRAPPERS = ["title", "chat_title", "thread_title", "answer", "final", "response", "output"];

/** Without the tokens of a template, and without a tag or a box around all of it. */
function unwrapped(text: string): string {
  const bare = text.replaceAll(TOKENS, " ").trim();
  const boxed = /^\\boxed\{(?:\\text\{)?([^{}]{1,200})\}+$/.exec(bare)?.[1];
  if (boxed !== undefined) return boxed;
  const lower = bare.toLowerCase();
  const tag = WRAPPERS.find((name) => lower.startsWith(`<${name}>`) && lower.includes(`</${name}>`));
  return tag === undefined ? bare : bare.slice(tag.length + 2, lower.indexOf(`</${tag}>`));
}

const CHATTER =
  /^[\s*_]*(?:sure|certainly|of course|absolutely|okay|ok|great|here(?:'s| is| are| you)|gerne|claro|voici)\b/iu;

/** A line that ends with a colon, or only says yes, introduces the next; the fences of a code block say nothing. */
function titleLine(lines: readonly string[]): string {
  const said = lines.filter((line) => /[\p{L}\p{N}]/u.test(line) && !/^\s*(?:```|~~~)/.test(line));
  const isIntroduction = (line: string, at: number) =>
    /[:：][\s*_"'`]*$/u.test(line) || (at + 1 < said.length && (CHATTER.test(line) || ONLY_LABEL.test(line)));
  const found = said.find((line, at) => !isIntroduction(line, at)) ?? "";
  const isList = said.filter((line) => NUMBER.test(line)).length > 1;
  return isList ? found.replace(NUMBER, "") : found;
}

/** The first of several suggestions has a number that is not its own. */
const NUMBER = /^\s{0,9}\d{1,2}[.)]\s/;
const TITLE_WORDS =
  "title|titel|titre|título|titulo|titolo|заголовок|название|タイトル|제목|标题|標題|العنوان|başlık|tytuł";
const ONLY_LABEL = new RegExp(`^[\\s#>*_]{0,9}(?:${TITLE_WORDS})[\\s*_]{0,9}$`, "iu");
const LABEL = new RegExp(
  `^[\\s#>*_\`~"'“„«-]{0,9}(?:(?:concise|short|suggested|possible|proposed|new|generated|thread|chat|conversation) ){0,3}(?:${TITLE_WORDS}|(?:chat|thread|conversation) name)[\\s*_\`"'”]{0,9}(?:[:：=]| [–—-] )[\\s*_]{0,9}`,
  "iu",
);
const INTRODUCTION =
  /^[\s*_]*(?:(?:(?:sure|certainly|of course|okay|ok)(?= ?[,!.])|here(?:'s| is)|voici|hier ist|aquí tienes|ecco|the title (?:is|could|would)|a (?:good|possible|short|suitable) title|i (?:suggest|propose))\b|aquí está|вот |以下是)[^:："“]{0,80}[:：]\s*(?=\S)/iu;
const YES =
  /^[\s*_]{0,9}(?:sure(?: thing)?|certainly|of course|absolutely|gladly|gerne|natürlich|bien sûr)[!.]\s{1,9}(?=\S)/iu;
const QUOTED = /^[^"“{]{0,80}\btitle(?: (?:is|would be|could be|might be))?[\s:=]{0,3}["“]([^"”]{1,80})["”]/iu;

function bareTitle(line: string): string {
  const title = line.replace(YES, "").replace(LABEL, "").replace(INTRODUCTION, "");
  const bare = (QUOTED.exec(title)?.[1] ?? title)
    .replace(/^[\s#>*_`~-]+/u, "")
    .replaceAll(/[\p{Cc}`*]/gu, " ")
    .replaceAll(/\s+/gu, " ")
    .replace(/^["'“”„«»‘’「『《\s_]+/u, "");
  const trimmed = trimEndOf(bare, /["'“”„«»‘’」』》\s.。_]/u);
  // The last word may be a quotation of its own.
  return trimmed.split('"').length % 2 === 0 ? trimEndOf(bare, /[\s.。_]/u) : trimmed;
}

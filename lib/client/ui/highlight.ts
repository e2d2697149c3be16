export type TokenLook = "key" | "string" | "number" | "comment" | "fn" | "plain";

export interface CodeToken {
  readonly text: string;
  readonly look: TokenLook;
}

type Rule = readonly [pattern: RegExp, look: TokenLook];

const STRINGS: Rule = [/^(?:"(?:[^"\\]|\\.)*"?|'(?:[^'\\]|\\.)*'?|`(?:[^`\\]|\\.)*`?)/u, "string"];
const NUMBERS: Rule = [/^\b\d[\w.]*\b/u, "number"];
const CALLS: Rule = [/^[A-Za-z_$][\w$]*(?=\()/u, "fn"];
const WORDS: Rule = [/^[\w$]+/u, "plain"];
const REST: Rule = [/^(?:\s+|[\s\S])/u, "plain"];
const SLASH_COMMENTS: Rule = [/^(?:\/\/.*|\/\*.*|\*\s.*|\*\/)/u, "comment"];
const HASH_COMMENTS: Rule = [/^#.*/u, "comment"];
const DASH_COMMENTS: Rule = [/^--.*/u, "comment"];

const keywords = (words: string): Rule => [new RegExp(`^(?:${words.replaceAll(" ", "|")})\\b(?![\\w$])`, "u"), "key"];

const C_LIKE = keywords(
  "import from export default function return const let var if else for while do switch case break continue new class extends implements interface type enum async await yield try catch finally throw typeof instanceof in of this super public private protected static readonly true false null undefined void fn pub mut struct impl match use mod package func go defer range map chan int float double char bool string",
);
const PYTHON = keywords(
  "import from as def return if elif else for while break continue class with try except finally raise lambda yield async await pass global nonlocal assert del in is not and or True False None self",
);
const SHELL = keywords(
  "if then else elif fi for in do done while case esac function return export local set echo cd exit",
);
const SQL: Rule = [
  /^(?:select|from|where|and|or|not|insert|into|values|update|set|delete|create|table|index|join|left|inner|on|group|by|order|limit|as|null|primary|key|unique|begin|commit)\b/iu,
  "key",
];
const CONSTANTS = keywords("true false null");
/** The key of a YAML, TOML or JSON pair. */
const PAIR_KEYS: Rule = [/^(?:"(?:[^"\\]|\\.)*"(?=\s*:)|[A-Za-z_][\w.-]*(?=\s*[:=]))/u, "key"];

/** Apostrophes of running text open no string: only values of attributes are strings. */
const MARKUP: readonly Rule[] = [
  [/^<!--.*?(?:-->|$)/u, "comment"],
  [/^(?:<[/!?]?[A-Za-z][\w:.-]*|[/?]?>)/u, "key"],
  [/^[A-Za-z_:@][\w:.-]*(?==")/u, "fn"],
  [/^"[^"]*"(?=[\s/?>]|$)/u, "string"],
  WORDS,
  REST,
];

const SCRIPT: readonly Rule[] = [SLASH_COMMENTS, STRINGS, C_LIKE, NUMBERS, CALLS, WORDS, REST];
const LANGUAGES: Record<string, readonly Rule[]> = {
  script: SCRIPT,
  python: [HASH_COMMENTS, STRINGS, PYTHON, NUMBERS, CALLS, WORDS, REST],
  shell: [HASH_COMMENTS, STRINGS, SHELL, NUMBERS, WORDS, REST],
  sql: [DASH_COMMENTS, STRINGS, SQL, NUMBERS, CALLS, WORDS, REST],
  data: [HASH_COMMENTS, PAIR_KEYS, STRINGS, CONSTANTS, NUMBERS, WORDS, REST],
  markup: MARKUP,
  plain: [[/^[\s\S]+/u, "plain"]],
};

const NAMES: Readonly<Record<string, string>> = {
  script: "ts tsx js jsx mjs cjs typescript javascript java go rs rust c h cpp cs kt swift php css scss",
  markup: "html htm xhtml xml svg vue",
  python: "py python rb",
  shell: "sh bash shell zsh",
  sql: "sql",
  data: "json yaml yml toml ini env",
};

/** The rules to read a file or a fenced block by. */
const LANGUAGE_OF = new Map(
  Object.entries(NAMES).flatMap(([language, names]) => names.split(" ").map((name) => [name, language] as const)),
);

/** A file name, an extension or the word after a code fence. Unknown ones stay uncoloured. */
export function languageOf(name: string): string {
  const key = name.slice(name.lastIndexOf(".") + 1).toLowerCase();
  return LANGUAGE_OF.get(key) ?? "plain";
}

/** Six looks and no more; line by line, so that half a file costs half and a stream never waits for a grammar. */
export function highlightLine(line: string, language: string): CodeToken[] {
  if (line.length > 2000) return [{ text: line, look: "plain" }];
  const rules = LANGUAGES[language] ?? SCRIPT;
  const tokens: { text: string; look: TokenLook }[] = [];
  let rest = line;
  while (rest.length > 0) {
    const token = nextToken(rest, rules);
    const last = tokens.at(-1);
    if (last?.look === token.look) last.text += token.text;
    else tokens.push({ ...token });
    rest = rest.slice(token.text.length);
  }
  return tokens;
}

function nextToken(rest: string, rules: readonly Rule[]): CodeToken {
  for (const [pattern, look] of rules) {
    const hit = pattern.exec(rest)?.[0];
    if (hit) return { text: hit, look };
  }
  return { text: rest.slice(0, 1), look: "plain" };
}

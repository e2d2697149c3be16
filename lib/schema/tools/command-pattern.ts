import { trimOf } from "@/lib/schema/trim-characters";

/** Words that make a shell read more than one simple command, or a different one than written. */
const RESERVED =
  /^(?:!|\[\[|\{|\}|case|coproc|do|done|elif|else|esac|eval|exec|fi|for|function|if|in|select|source|then|time|until|while|\.)$/;

/** Unquoted, each of these is an operator, a substitution, an expansion or a comment. */
const SPECIAL = /[;&|<>()$`\\\n\r#!{}*?[\]~]/;
/** Within double quotes only these keep a meaning. */
const SPECIAL_IN_QUOTES = /[$`\\\n\r!]/;

/**
 * The words of one simple command. Null for everything else: operators, substitutions, expansions, several lines,
 * assignments, and anything a shell would read differently.
 */
export function simpleCommand(text: string): string[] | null {
  const words: string[] = [];
  let rest = trimOf(text, /[ \t]/);
  while (rest !== "") {
    const word = firstWord(rest);
    if (word === null) return null;
    words.push(word.value);
    rest = word.rest.replace(/^[ \t]+/, "");
  }
  const [first] = words;
  if (first === undefined || first === "" || RESERVED.test(first) || /^[A-Za-z_]\w*\+?=/.test(first)) return null;
  return words;
}

function firstWord(text: string): { value: string; rest: string } | null {
  let value = "";
  let at = 0;
  while (at < text.length) {
    const character = text[at] ?? "";
    if (character === " " || character === "\t") break;
    if (character !== "'" && character !== '"') {
      if (SPECIAL.test(character)) return null;
      value += character;
      at += 1;
      continue;
    }
    const end = text.indexOf(character, at + 1);
    const inside = text.slice(at + 1, end);
    if (end < 0 || (character === '"' && SPECIAL_IN_QUOTES.test(inside)) || /[\n\r]/.test(inside)) return null;
    value += inside;
    at = end + 1;
  }
  return { value, rest: text.slice(at) };
}

/** Whether the command is one simple command whose first words are those of the pattern. */
export function patternMatches(pattern: string, command: string): boolean {
  const [wanted, given] = [simpleCommand(pattern), simpleCommand(command)];
  return wanted !== null && given !== null && wanted.every((word, index) => word === given[index]);
}

/** The first two words of a simple command: what a person most likely means. Null if no pattern can help. */
export function suggestPattern(command: string): string | null {
  const words = simpleCommand(command);
  if (words === null) return null;
  const plain = words.slice(0, 2);
  return plain.every((word) => /^[\w@%+=:,./-]+$/.test(word)) ? plain.join(" ") : null;
}

/** Examples of what a pattern would let through and what still asks. Null if it is not a simple command. */
export function explainPattern(pattern: string): { runs: string[]; asks: string[] } | null {
  const words = simpleCommand(pattern);
  if (words === null) return null;
  const text = pattern.trim();
  return {
    runs: [text, `${text} anything after it`],
    asks: [`${text} && more`, `${text} > file`, `${text} $(more)`, `${text}-other`],
  };
}

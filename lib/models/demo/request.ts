import { trimOf } from "@/lib/schema/trim-characters";

const QUOTED = /```[\s\S]*?```|"[^"\n]*"|`[^`\n]*`|(?<![A-Za-z])'[^'\n]*'(?![A-Za-z])|\([^()\n]*\)/g;
const STEP_VERBS =
  "run|execute|list|show|read|open|calculate|compute|remember|search|find|edit|replace|change|create|write|make|add|tell|ask me|research|delegate|what|delete|remove|rename|move";
/** Counted, since each run of blanks without an end would be tried with each other one. */
const SPACE = "\\s{0,9}";
const SPACES = "\\s{1,9}";
const CONNECTORS = new RegExp(
  [
    `${SPACE}[,;.]?${SPACES}(?:and${SPACES})?(?:then|after that|afterwards|finally)[,\\s]{1,9}`,
    `${SPACE};${SPACE}`,
    `${SPACE}\\n${SPACE}(?![\\s·])`,
    `[.,]?${SPACES}and${SPACES}(?=(?:${STEP_VERBS})\\b)`,
    `[.,]${SPACES}(?=(?:${STEP_VERBS})\\b)`,
  ].join("|"),
  "gi",
);

/** Strips polite phrases from the request. */
export function plainRequest(text: string): string {
  let plain = text.trim();
  for (;;) {
    const asked = plain.replace(
      /^(?:please|and|then|hi|hey|hello|ok|okay|now|so|first|next|also|can you|could you|would you|will you|i want you to|i'd like you to|let's)\b[\s,:!]*/i,
      "",
    );
    const bare = asked.replace(/\bplease[.!?]?$/i, "");
    const shorter = bare === asked ? asked.trim() : trimOf(bare, /[\s,]/);
    if (shorter === plain) return plain;
    plain = shorter;
  }
}

/** Splits a request for several things into its parts, in order; quoted text and code are never split. */
export function splitRequest(text: string): string[] {
  const mask = text.replace(QUOTED, (quoted) => "·".repeat(quoted.length));
  const parts: string[] = [];
  let start = 0;
  for (const match of mask.matchAll(CONNECTORS)) {
    parts.push(text.slice(start, match.index));
    start = match.index + match[0].length;
  }
  parts.push(text.slice(start));
  return parts.map((part) => plainRequest(part.replace(/^\s*(?:[-*•]|\d+[.)])\s+/, ""))).filter((part) => part !== "");
}

/** Matches a word that looks like a file: it has an extension, or is a well-known name without one. */
export const FILE = String.raw`["'\x60]?((?:[\w@+.-]+\/)*(?:[\w@+-][\w@+.-]*\.[A-Za-z0-9]{1,8}|\.[a-z]{2,12}|Makefile|Dockerfile|README|LICENSE))["'\x60]?`;

/** Removes one pair of quotes around the text. */
export function unquote(text: string): string {
  const trimmed = text.trim();
  const fenced = /^```[\w+-]*\n([\s\S]*?)\n?```$/.exec(trimmed);
  if (fenced) return fenced[1] ?? "";
  const quoted = /^(["'`])([\s\S]*)\1$/.exec(trimmed);
  return quoted ? (quoted[2] ?? "") : trimmed;
}

export function slugOf(text: string): string {
  const slug = text
    .slice(0, 400)
    .toLowerCase()
    .normalize("NFKD")
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-|-$/g, "")
    .slice(0, 40)
    .replace(/-$/, "");
  return slug || "work";
}

export function capitalize(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}

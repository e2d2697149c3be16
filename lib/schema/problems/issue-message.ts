import type { z } from "zod";

type Issue = z.core.$ZodIssue;

/** What is wrong with a value and what to write instead. A schema's own message is kept. */
export function issueMessage(issue: Issue): string {
  if (!/^(?:Invalid |Too (?:big|small))/.test(issue.message)) return issue.message;
  return MESSAGES[issue.code]?.(issue) ?? issue.message;
}

type Messages = { readonly [Code in Issue["code"]]?: (issue: Issue) => string };

/** One function per code; each only gets issues of that code. */
const MESSAGES: Messages = {
  invalid_type: (issue) => (issue.code === "invalid_type" ? typeMessage(issue) : issue.message),
  invalid_value: (issue) => {
    if (issue.code !== "invalid_value") return issue.message;
    const [only, ...others] = issue.values.map((value) => JSON.stringify(value) ?? String(value));
    return others.length === 0 ? `Must be ${only}.` : `Must be ${listed([String(only), ...others])}.`;
  },
  too_small: (issue) => {
    if (issue.code !== "too_small") return issue.message;
    const { origin, minimum, inclusive = true } = issue;
    if (minimum === 1 && inclusive && origin !== "number" && origin !== "int") return "Must not be empty.";
    return sizeMessage(origin, minimum, inclusive ? "at least" : "more than");
  },
  too_big: (issue) => {
    if (issue.code !== "too_big") return issue.message;
    return sizeMessage(issue.origin, issue.maximum, (issue.inclusive ?? true) ? "at most" : "less than");
  },
  not_multiple_of: (issue) =>
    issue.code === "not_multiple_of" ? `Must be a multiple of ${issue.divisor}.` : issue.message,
  invalid_format: (issue) => {
    if (issue.code !== "invalid_format") return issue.message;
    const what = FORMATS[issue.format];
    return what ? `Must be ${what}.` : `Must match ${issue.pattern ?? issue.format}.`;
  },
  invalid_union: (issue) => {
    if (issue.code !== "invalid_union") return issue.message;
    const kinds = issue.errors.flatMap(([first]) => (first?.code === "invalid_type" ? [kindOf(first.expected)] : []));
    return kinds.length === 0 ? "Has a form that is not known here." : `Must be ${listed([...new Set(kinds)])}.`;
  },
};

const KINDS: Readonly<Record<string, string>> = {
  string: "a text",
  number: "a number",
  int: "a whole number",
  boolean: "true or false",
  array: "a list",
  object: "a group of fields",
  record: "a group of fields",
  null: "null",
  undefined: "left out",
};

const FORMATS: Readonly<Record<string, string>> = {
  email: "an email address",
  url: "a web address",
  datetime: "a time such as 2026-11-23T08:00:00Z",
  date: "a date such as 2026-11-23",
  uuid: "a UUID",
};

function typeMessage(issue: z.core.$ZodIssueInvalidType): string {
  const kind = kindOf(issue.expected);
  const received = /received (\w+)$/.exec(issue.message)?.[1] ?? "";
  if (received === "undefined") return `Is missing: it must be ${kind}.`;
  const found = kindOf(issue.expected) === "a whole number" && received === "number" ? undefined : KINDS[received];
  return found === undefined ? `Must be ${kind}.` : `Must be ${kind}, not ${found}.`;
}

function kindOf(expected: string): string {
  return KINDS[expected] ?? expected;
}

function sizeMessage(origin: string, limit: number | bigint, bound: string): string {
  const size = limit.toLocaleString("en-US");
  if (origin === "string") return `Must have ${bound} ${size} characters.`;
  if (origin === "array" || origin === "set") return `Must have ${bound} ${size} entries.`;
  if (origin === "object" || origin === "map") return `Must have ${bound} ${size} fields.`;
  return `Must be ${bound} ${size}.`;
}

function listed(words: readonly string[]): string {
  if (words.length < 2) return words.join("");
  return `${words.slice(0, -1).join(", ")} or ${words.at(-1)}`;
}

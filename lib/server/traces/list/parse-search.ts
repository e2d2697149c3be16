import { fold } from "@/lib/schema/fold";
import type { ParsedFilters, ParsedSearch } from "@/lib/schema/traces/list/parsed-search";
import { type Clock, readTime } from "./parse-times";

/** What runs can be narrowed by, as the person may see it. */
export interface KnownValues {
  readonly agents: readonly { readonly id: string; readonly name: string }[];
  readonly people: readonly { readonly id: string; readonly name: string }[];
  readonly tools: readonly string[];
  readonly models: readonly string[];
}

/** How many words it takes, and what they mean. */
interface Match {
  readonly length: number;
  readonly filters: ParsedFilters;
}

const STATUSES: Readonly<Record<string, string>> = {
  ...{ running: "running", waiting: "waiting", completed: "completed", finished: "completed", successful: "completed" },
  ...{ failed: "failed", failing: "failed", stopped: "cancelled", cancelled: "cancelled", canceled: "cancelled" },
  ...{ interrupted: "interrupted", limited: "limit" },
};

const PHRASES: Readonly<Record<string, ParsedFilters>> = {
  ...{ "at the limit": { status: "limit" }, "hit the limit": { status: "limit" }, "with errors": { hasError: true } },
  ...{
    "with an error": { hasError: true },
    "with error": { hasError: true },
    mine: { mine: true },
    my: { mine: true },
  },
  ...{ "by me": { mine: true }, "thumbs down": { score: "down" }, "thumb down": { score: "down" } },
  ...{ "rated down": { score: "down" }, "thumbs up": { score: "up" }, "thumb up": { score: "up" } },
  ...{ "with notes": { notes: "yes" }, "with a note": { notes: "yes" } },
  ...{ "rated up": { score: "up" }, denied: { decision: "denied" }, declined: { decision: "declined" } },
  ...{
    approved: { decision: "approved" },
    scheduled: { origin: "schedule" },
    "from schedules": { origin: "schedule" },
  },
  ...{
    "from webhooks": { origin: "webhook" },
    "from channels": { origin: "channel" },
    "over the api": { origin: "api" },
  },
  ...{ "by api": { origin: "api" }, "from heartbeats": { origin: "heartbeat" }, "from boards": { origin: "board" } },
  ...{ "as subagents": { origin: "subagent" }, "as a subagent": { origin: "subagent" } },
};
const LONGEST_PHRASE = 3;

/** Words between filters that mean nothing alone. */
const FILLERS = new Set(
  "runs run traces trace all show find list me of by that which the a with where in from and on about for".split(" "),
);

const PUNCTUATION = new Set(",;:.!?()");

const USED = new Set(["used", "using", "called", "calling", "ran", "tool"]);
const NAMES_AN_AGENT = new Set(["agent", "of", "by"]);
const OVER = new Set(["over", "above", "from"]);
const SLOWER = new Set(["longer", "slower"]);
const UNITS_MS: Readonly<Record<string, number>> = {
  ...{ ms: 1, s: 1_000, sec: 1_000, secs: 1_000, second: 1_000, seconds: 1_000 },
  ...{ min: 60_000, mins: 60_000, minute: 60_000, minutes: 60_000, m: 60_000 },
  ...{ h: 3_600_000, hour: 3_600_000, hours: 3_600_000 },
};

/**
 * What a search means as filters of the list ("failed runs of coder yesterday"), by rules: states, agents, people, tools
 * and models by their names, times, costs. What they don't know is left as text, as is everything between quotation
 * marks.
 */
export function parseSearch(text: string, known: KnownValues, clock: Clock): ParsedSearch {
  const filters: ParsedFilters = {};
  const stretches: string[][] = [[]];
  for (const part of text.split(/(["“][^"“”]*["”])/u)) {
    if (/^["“]/u.test(part)) {
      stretches.push([part.slice(1, -1).trim()], []);
      continue;
    }
    const words = part.split(/\s+/u).filter((word) => word !== "");
    for (let at = 0; at < words.length; ) {
      const match = readAt(words.slice(at), known, clock);
      if (match === null) {
        stretches.at(-1)?.push(words[at] ?? "");
        at += 1;
        continue;
      }
      merge(filters, match.filters);
      stretches.push([]);
      at += match.length;
    }
  }
  if (Object.keys(filters).length === 0) return { filters, rest: text.trim() };
  const rest = stretches.map((words) => withoutFillers(words).join(" ")).filter((words) => words !== "");
  return { filters, rest: rest.join(" ") };
}

/** Several values of one filter are all wanted; of a number or time, the last is. */
function merge(filters: ParsedFilters, more: ParsedFilters): void {
  for (const [name, value] of Object.entries(more)) {
    const before = filters[name as keyof ParsedFilters];
    const isList = typeof value === "string" && typeof before === "string" && name !== "since" && name !== "until";
    Object.assign(filters, { [name]: isList ? [...new Set([...before.split(","), value])].join(",") : value });
  }
}

function withoutFillers(words: readonly string[]): readonly string[] {
  const isFiller = (word: string) => FILLERS.has(plain(word));
  const first = words.findIndex((word) => !isFiller(word));
  return first === -1 ? [] : words.slice(first, words.findLastIndex((word) => !isFiller(word)) + 1);
}

/** Without case, accents and the punctuation around it. */
function plain(word: string): string {
  const letters = [...fold(word)];
  const isLetter = (letter: string) => !PUNCTUATION.has(letter);
  return letters.slice(letters.findIndex(isLetter), letters.findLastIndex(isLetter) + 1).join("");
}

function readAt(words: readonly string[], known: KnownValues, clock: Clock): Match | null {
  const folded = words.slice(0, 12).map(plain);
  return (
    readPhrase(folded) ??
    readTime(folded, clock) ??
    readCost(folded) ??
    readDuration(folded) ??
    readTool(folded, known.tools) ??
    readName(folded, known) ??
    readWord(folded, known)
  );
}

function readPhrase(words: readonly string[]): Match | null {
  for (let length = LONGEST_PHRASE; length > 0; length--) {
    const phrase = words.slice(0, length).join(" ");
    if (words.length >= length && Object.hasOwn(PHRASES, phrase)) return { length, filters: PHRASES[phrase] ?? {} };
  }
  return null;
}

/** "over $0.50", "more than 2 dollars". */
function readCost([first = "", ...words]: readonly string[]): Match | null {
  const isThan = first === "more" && words[0] === "than";
  if (!isThan && !OVER.has(first)) return null;
  const [amount = "", unit = ""] = isThan ? words.slice(1) : words;
  const [, sign, number] = /^(\$?)(\d{1,9}(?:\.\d{1,6})?)$/u.exec(amount) ?? [];
  const isNamed = sign === "" && /^(?:dollars?|usd)$/u.test(unit);
  if (number === undefined || (sign === "" && !isNamed)) return null;
  return { length: (isThan ? 3 : 2) + (isNamed ? 1 : 0), filters: { minCostUsd: Number(number) } };
}

/** "longer than 1 min", "slower than 30s". */
function readDuration([first = "", second, amount = "", unit = ""]: readonly string[]): Match | null {
  if (!SLOWER.has(first) || second !== "than") return null;
  const [, number, attached = ""] = /^(\d{1,9}(?:\.\d{1,3})?)([a-z]*)$/u.exec(amount) ?? [];
  const unitMs = UNITS_MS[attached === "" ? unit : attached];
  if (number === undefined || unitMs === undefined) return null;
  return { length: attached === "" ? 4 : 3, filters: { minWorkedMs: Math.round(Number(number) * unitMs) } };
}

/** "used execute", "execute failed", "failed at execute". */
function readTool(words: readonly string[], tools: readonly string[]): Match | null {
  const [first = "", second = "", third = ""] = words;
  const find = (word: string) => tools.find((tool) => fold(tool) === word);
  const failed = find(first);
  if (failed !== undefined && (second === "failed" || second === "fails")) {
    return { length: 2, filters: { toolFailed: failed } };
  }
  const blamed = find(third);
  if (first === "failed" && (second === "at" || second === "in") && blamed !== undefined) {
    return { length: 3, filters: { toolFailed: blamed } };
  }
  const used = find(second);
  return USED.has(first) && used !== undefined ? { length: 2, filters: { tool: used } } : null;
}

/** An agent or a person, by name or id, the longest that fits. */
function readName(words: readonly string[], { agents, people }: KnownValues): Match | null {
  const lead = NAMES_AN_AGENT.has(words[0] ?? "") ? 1 : 0;
  const names = [
    ...agents.flatMap(({ id, name }) => [id, name].map((text) => ({ text, filters: { agentId: id } }))),
    ...people.map(({ id, name }) => ({ text: name, filters: { person: id } })),
  ];
  const found = names.flatMap(({ text, filters }) => {
    const parts = fold(text).split(/\s+/u).filter(Boolean);
    const fits = parts.length > 0 && parts.every((part, index) => words[lead + index] === part);
    return fits ? [{ length: lead + parts.length, filters }] : [];
  });
  return found.toSorted((a, b) => b.length - a.length)[0] ?? null;
}

/** A state, a version or a model. */
function readWord([word = ""]: readonly string[], { models }: KnownValues): Match | null {
  if (Object.hasOwn(STATUSES, word)) return { length: 1, filters: { status: STATUSES[word] ?? "" } };
  const [, version] = /^v(\d{1,6})$/u.exec(word) ?? [];
  if (version !== undefined) return { length: 1, filters: { version } };
  const model = models.find((name) => fold(name) === word || fold(name).endsWith(`:${word}`));
  return model === undefined || word === "" ? null : { length: 1, filters: { model } };
}

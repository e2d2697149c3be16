import type { APICallError } from "@ai-sdk/provider";

/**
 * How long a provider asks clients to wait, in ms: its Retry-After header (seconds or a date), Google's RetryInfo, or
 * its words ("try again in 1m2.5s").
 */
export function readRetryAfter(
  error: Pick<APICallError, "responseHeaders" | "responseBody">,
  now: () => number = Date.now,
): number | undefined {
  const headers = error.responseHeaders ?? {};
  const milliseconds = positive(headers["retry-after-ms"]);
  if (milliseconds !== undefined) return milliseconds;
  const header = headers["retry-after"];
  const seconds = positive(header);
  if (seconds !== undefined) return seconds * 1_000;
  if (header !== undefined && /^\s*[\d.]+\s*[a-z]/i.test(header)) return durationOf(header);
  const date = Date.parse(header ?? "");
  if (!Number.isNaN(date)) return Math.max(0, date - now());
  const body = error.responseBody ?? "";
  const reset = headers["x-ratelimit-reset"] ?? headers["ratelimit-reset"] ?? RESET_FIELD.exec(body)?.[1];
  return statedWait(body) ?? untilReset(positive(reset), now);
}

/** The header of the server behind a gateway (OpenRouter), in the body. */
const RESET_FIELD = /"x-ratelimit-reset"\s*:\s*"?(\d{1,13})"?/i;
const [A_DAY_IN_SECONDS, EPOCH_SECONDS, EPOCH_MS] = [86_400, 1e9, 1e12];

/** A time of day in seconds or milliseconds, or seconds from now: no field says which. */
function untilReset(reset: number | undefined, now: () => number): number | undefined {
  if (reset === undefined) return undefined;
  if (reset <= A_DAY_IN_SECONDS) return reset * 1_000;
  if (reset < EPOCH_SECONDS) return undefined;
  return Math.max(0, (reset < EPOCH_MS ? reset * 1_000 : reset) - now());
}

const UNITS: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };
const ONE = String.raw`\d{1,9}(?:\.\d{1,9})?\s?(?:milliseconds?|ms|seconds?|secs?|s|minutes?|mins?|m|hours?|hrs?|h|days?|d|sekunden?|minuten?|stunden?|secondes?|segundos?|second[io]|minutos?|minut[io]|heures?|horas?|or[ae]|секунд[уы]?|минут[уы]?|час(?:а|ов)?|秒|分钟|分|小时|時間|초|분|시간)(?![a-z])`;
/** A duration after a word that asks to wait; several units may follow one another. */
const WAIT = new RegExp(
  String.raw`(?:try(?:ing)? again|retry(?:ing)?|retry[_-]?(?:after|delay|in)|wait(?:ing)?|back(?:ing)? off|cool.?down|available|allowed|resets?|請在|请在|等待|réessaye[rz]?|attendez|inten(?:te|ta|tar)(?:lo)?|inténtelo|espere|tente|aguarde|riprova(?:re)?|attendi|повторите|попробуйте|подождите)(?:\W{0,4}(?:again|after|in|for|at|at least|about|another|within|approximately|your|the|this|requests?|de nuevo|nuevamente|novamente|à nouveau|dans|en|em|tra|снова|через))*\W{0,5}((?:${ONE}(?:,? and |,? ?)?){1,4})`,
  "i",
);
/** "in a minute" */
const ONE_UNIT =
  /(?:try(?:ing)? again|retry(?:ing)?|wait(?:ing)?) (?:(?:after|in|for|about) ){0,2}(?:an?|one) (second|minute|hour)\b/i;
/** Languages that ask after the duration: "in 20 Sekunden erneut", "30秒お待ち". */
const WAIT_AFTER = new RegExp(
  String.raw`(?<!\d)(${ONE})(?:\s?(?:nochmals|erneut|wieder|後に再|お待ち|待って|后(?:再|重)|之后|后恢复|후|remaining|until|you (?:may|can) (?:try|retry)))`,
  "i",
);
/** A field whose name says seconds, or says nothing: a number alone is seconds. */
const SECONDS_FIELD = /\bretry[_ -]?after(?:[_-]?(?:seconds|secs|s))?"?\s*:\s*"?(\d+(?:\.\d+)?)"?\s*(?:[,}.;]|$)/i;
const MILLISECONDS_FIELD = /\bretry[_ -]?after[_-]?(?:ms|millis(?:econds)?)"?\s*:\s*"?(\d+(?:\.\d+)?)/i;
/** A model that a server loads first. */
const LOADING_FIELD = /loading.{0,80}"estimated_time"\s*:\s*(\d+(?:\.\d+)?)/i;

/** The wait that a provider's words ask for; undefined if they ask for none. */
export function statedWait(words: string): number | undefined {
  const milliseconds = MILLISECONDS_FIELD.exec(words)?.[1];
  if (milliseconds !== undefined) return Number(milliseconds);
  const seconds = SECONDS_FIELD.exec(words)?.[1] ?? LOADING_FIELD.exec(words)?.[1];
  if (seconds !== undefined) return Math.ceil(Number(seconds) * 1_000);
  const unit = ONE_UNIT.exec(words)?.[1];
  const found = WAIT.exec(words)?.[1] ?? WAIT_AFTER.exec(words)?.[1] ?? (unit && `1 ${unit}`);
  return found === undefined ? undefined : durationOf(found);
}

function durationOf(text: string): number | undefined {
  let total = 0;
  let count = 0;
  for (const [, amount, unit] of text.matchAll(/(\d{1,12}(?:\.\d{1,12})?)\s?(\p{L}{1,20})/gu)) {
    const factor = unitOf(unit ?? "");
    if (factor === undefined) continue;
    total += Number(amount) * factor;
    count += 1;
  }
  return count === 0 ? undefined : Math.ceil(total);
}

const KNOWN_UNITS: readonly (readonly [string, string])[] = [
  ...["秒", "초", "секунд"].map((word) => [word, "s"] as const),
  ...["分", "분", "минут"].map((word) => [word, "m"] as const),
  ...["小时", "時間", "시간", "час", "ora", "ore"].map((word) => [word, "h"] as const),
];

function unitOf(unit: string): number | undefined {
  const name = KNOWN_UNITS.find(([word]) => unit.startsWith(word))?.[1] ?? unit.toLowerCase();
  return UNITS[/^(?:ms|milli)/.test(name) ? "ms" : name.slice(0, 1)];
}

function positive(text: string | undefined): number | undefined {
  if (text === undefined || text.trim() === "") return undefined;
  const value = Number(text);
  return Number.isFinite(value) && value >= 0 ? value : undefined;
}

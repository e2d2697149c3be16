/** Longer texts are cut before they are read: an error of a megabyte is grouped by its beginning. */
const MAX_READ_CHARS = 2_000;
const MAX_KEY_CHARS = 300;

/** What differs from one failure to the next of the same kind, in the order in which it is taken out. */
const VARYING: readonly (readonly [RegExp, string | ((found: string) => string)])[] = [
  [/\b[a-z][a-z0-9+.-]{1,20}:\/\/[^\s"'`<>]{1,500}/gi, "<address>"],
  [/[^\s"'`<>]+/g, (word) => (/[^@]@[^@]/.test(word) ? "<address>" : word)],
  [/"[^"\n]{0,500}"|`[^`\n]{0,500}`|(?<![\p{L}\d])'[^'\n]{0,500}'(?![\p{L}\d])|“[^”\n]{0,500}”/gu, "<text>"],
  [/(?:[a-z]:)?[\w.@~-]{0,100}[\\/][^\s"'`<>:;,]{1,300}/gi, "<path>"],
  [/\b[\w-]{0,40}\d[\w-]{0,200}/g, "<n>"],
];

/** Within a provider's own refusal, the quoted words are what it says. */
const VARYING_UNQUOTED = VARYING.filter(([, name]) => name !== "<text>");

/**
 * The text without its numbers, ids, addresses, paths and quoted text, so that failures of the same kind are equal.
 * With `keepQuoted`, quoted words stay. Pure; applied to its own result it changes nothing.
 */
export function normalizeProblem(text: string, { keepQuoted = false } = {}): string {
  const varying = keepQuoted ? VARYING_UNQUOTED : VARYING;
  let found = tidy(text.slice(0, MAX_READ_CHARS).toWellFormed());
  // What a replacement leaves may in turn be taken out with its neighbours.
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const next = tidy(varying.reduce(replaceVarying, found));
    if (next === found) break;
    found = next;
  }
  return found;
}

const MAX_ROUNDS = 8;

function replaceVarying(text: string, [pattern, name]: (typeof VARYING)[number]): string {
  return text.replace(pattern, (found) => (typeof name === "string" ? name : name(found)));
}

function tidy(text: string): string {
  return text.replaceAll(/\s+/g, " ").trim().slice(0, MAX_KEY_CHARS).toWellFormed().trim();
}

/** Groups a failed call with others of its agent: by its tool and error. */
export function callProblemKey(tool: string, error: string): string {
  return `tool_error ${tool} ${normalizeProblem(error)}`;
}

/** Groups a run that was stopped at a limit, or for repeating itself, with others of its agent. */
export function limitProblemKey(notice: string, { isLoop }: { readonly isLoop: boolean }): string {
  return `${isLoop ? "loop" : "limit"} ${normalizeProblem(notice)}`;
}

interface FailedRun {
  readonly errorCode: string;
  /** `provider:model` that was asked last; null if none was. */
  readonly model: string | null;
  readonly message: string;
}

/** Groups a failed run with others of its agent; where a provider refused, by the provider and what it said. */
export function runProblemKey({ errorCode, model, message }: FailedRun): string {
  const isProviders = errorCode.startsWith("provider") || errorCode.startsWith("model");
  const by = isProviders && model !== null ? ` ${model.split(":", 1)[0]}:` : "";
  return `failed ${errorCode}${by} ${normalizeProblem(message, { keepQuoted: isProviders })}`;
}

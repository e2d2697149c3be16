interface Named {
  readonly name: string;
}

interface Refusal {
  readonly status: number | undefined;
  /** The body of the answer and its words. */
  readonly text: string;
}

/** Google's tools are one list of functions. */
const TOOL_POSITIONS = [/function_?declarations\[(\d{1,4})\]/i, /\btools(?:\[|\.)(\d{1,4})\b/];
const ABOUT_SCHEMA = /schema|parameters/i;
const REFUSES =
  /invalid|unsupported|not (?:supported|allowed|accepted|permitted|valid)|reserved|duplicate|must (?:be|match)/i;
const ABOUT_HISTORY = /\bmessages?[[.]\s?\d|tool_calls?|call[_ ]id|\btool (?:call|message|result)/i;

/** The tool that a refusal names by its name or its place among the tools; only where the request is at fault. */
export function refusedTool({ status, text }: Refusal, tools: readonly Named[]): string | undefined {
  if ((status !== 400 && status !== 422) || !/tool|function|schema/i.test(text)) return undefined;
  const place = TOOL_POSITIONS.map((pattern) => pattern.exec(text)?.[1]).find((found) => found !== undefined);
  const placed = place === undefined ? undefined : tools[Number(place)]?.name;
  if (placed !== undefined) return placed;
  const isAboutSchema = ABOUT_SCHEMA.test(text);
  if (!isAboutSchema && (!REFUSES.test(text) || ABOUT_HISTORY.test(text))) return undefined;
  const clearness = new Map(tools.map(({ name }) => [name, clearnessOf(text, name)]));
  const most = Math.max(...clearness.values());
  // Names of tools are words too, and a key of the answer's own JSON is called "message".
  if (most < (isAboutSchema ? WORD : INTRODUCED)) return undefined;
  const named = tools.filter(({ name }) => clearness.get(name) === most);
  return named.length === 1 ? named[0]?.name : undefined;
}

const [ABSENT, WORD, QUOTED, INTRODUCED] = [0, 1, 2, 3];
const INTRODUCES = /(?:function|tool|name)[^\w]{1,6}$/i;

/** How clearly a text speaks of the tool and not of something else that is called so. */
function clearnessOf(text: string, name: string): number {
  let most = ABSENT;
  for (let at = text.indexOf(name); at >= 0 && name !== ""; at = text.indexOf(name, at + name.length)) {
    most = Math.max(most, clearnessAt(text, at, name.length));
  }
  return most;
}

function clearnessAt(text: string, at: number, length: number): number {
  const [before, after] = [text.charAt(at - 1), text.charAt(at + length)];
  if (/[\w-]/.test(before) || /[\w-]/.test(after)) return ABSENT;
  const isKey = after === '"' && /^"\s{0,4}:/.test(text.slice(at + length, at + length + 6));
  if (isKey) return ABSENT;
  if (INTRODUCES.test(text.slice(Math.max(0, at - 16), at))) return INTRODUCED;
  if (/['"`‘“]/.test(before) && /['"`’”]/.test(after)) return QUOTED;
  return /^[a-z]+$/i.test(text.slice(at, at + length)) ? ABSENT : WORD;
}

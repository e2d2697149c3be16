import { isObject, type JsonObject, readJson } from "./event-reader";

/** A tool call that a model wrote as text. */
interface TextCall {
  readonly name: string;
  readonly args: JsonObject;
}

interface TextCalls {
  readonly calls: readonly TextCall[];
  /** In tags; bare JSON may be meant as an answer. */
  readonly isTagged: boolean;
}

/** The tags in which models write calls: how each begins and how it ends. */
const TAGS: readonly (readonly [string, string])[] = [
  ["<tool_call>", "</tool_call>"],
  ["<function_call>", "</function_call>"],
  ["<tool_use>", "</tool_use>"],
  ["<|tool_call|>", "<|/tool_call|>"],
  ["<|python_tag|>", "<|eom_id|>"],
  ["[TOOL_CALLS]", "[/TOOL_CALLS]"],
];
const LONGEST = 200_000;

/** The calls of a text that is nothing but calls; null for any other text. */
export function readTextCalls(written: string, toolNames: ReadonlySet<string>): TextCalls | null {
  const text = written.trim();
  if (text.length > LONGEST || !/^[<[{]/.test(text)) return null;
  const tagged = taggedCalls(text);
  if (tagged !== null) return tagged.length > 0 ? { calls: tagged, isTagged: true } : null;
  const bare = callsIn(readJson(text));
  return bare.length > 0 && bare.every(({ name }) => toolNames.has(name)) ? { calls: bare, isTagged: false } : null;
}

function taggedCalls(text: string): TextCall[] | null {
  const calls: TextCall[] = [];
  let rest = text;
  while (rest !== "") {
    const named = /^<function=([\w.-]{1,100})>/.exec(rest);
    const [begin, end] = named ? [named[0], "</function>"] : (TAGS.find(([tag]) => rest.startsWith(tag)) ?? []);
    if (begin === undefined || end === undefined) return calls.length > 0 ? [] : null;
    const at = rest.indexOf(end, begin.length);
    const body = rest.slice(begin.length, at < 0 ? rest.length : at).trim();
    const found = named ? functionCall(named[1] ?? "", body) : callsInBody(body);
    if (found.length === 0) return [];
    calls.push(...found);
    rest = at < 0 ? "" : rest.slice(at + end.length).trim();
  }
  return calls;
}

function callsInBody(body: string): TextCall[] {
  const named = /^<function=([\w.-]{1,100})>/.exec(body);
  if (named) return functionCall(named[1] ?? "", body.slice(named[0].length).replace(/<\/function>\s*$/, ""));
  return callsIn(readJson(body));
}

/** JSON, or one tag for each argument. */
function functionCall(name: string, body: string): TextCall[] {
  const value = body.trim() === "" ? {} : readJson(body);
  if (isObject(value)) return [{ name, args: value }];
  const args: Record<string, unknown> = {};
  for (const piece of body.split("<parameter=").slice(1)) {
    const [, key, text] = /^([\w.-]{1,100})>([\s\S]*)$/.exec(piece) ?? [];
    if (key === undefined || text === undefined) return [];
    args[key] = text.replace(/<\/parameter>\s*$/, "").trim();
  }
  return Object.keys(args).length > 0 ? [{ name, args }] : [];
}

/** One call, or a list of them. */
function callsIn(value: unknown): TextCall[] {
  const entries = Array.isArray(value) ? value : [value];
  const calls = entries.map(callOf);
  return calls.every((call) => call !== null) ? calls : [];
}

function callOf(value: unknown): TextCall | null {
  if (!isObject(value)) return null;
  const target = isObject(value.function) ? value.function : value;
  const { name = target.tool ?? target.function, arguments: given = target.parameters ?? target.args } = target;
  const args = typeof given === "string" ? readJson(given) : given;
  return typeof name === "string" && isObject(args) ? { name, args } : null;
}

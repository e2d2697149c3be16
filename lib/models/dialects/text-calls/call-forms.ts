import { isObject, type JsonObject, readJson } from "@/lib/models/dialects/event-reader";
import { LiteralReader } from "./literal-reader";

/** A tool call that a model wrote as text. */
export interface TextCall {
  readonly name: string;
  readonly args: JsonObject;
}

const NAME_FIELDS = ["name", "tool", "function", "tool_name", "action", "recipient_name"];
const ARGUMENT_FIELDS = ["arguments", "parameters", "args", "input", "tool_input", "action_input", "tool_parameters"];
/** Before the name of a call and behind it, in the forms of Kimi, DeepSeek, Hunyuan and Mistral. */
const NAMED =
  /^(?:function(?:<\|tool_sep\|>|<tool_sep>))?(?:functions?\.)?([\w.-]{1,100})(?::\d{1,4})?\s{0,9}(?:<\|tool_call_argument_begin\|>|<\|tool_sep\|>|<tool_sep>|\[CALL_ID\][\w-]{0,60}\[ARGS\]|\[ARGS\])?\s{0,9}(?=[{`]|$)/;
const FENCE = "```";

/**
 * The calls in what stands between the tags of one: JSON in the fields of several models, a name with arguments behind
 * it, GLM's keys and values, Python, or Gemma's own form. Empty if it is none of these.
 *
 * @param marks The same text with the bars and spaces of all alphabets as those of ASCII, character by character.
 */
export function callsInBody(body: string, marks: string, toolNames: ReadonlySet<string>): readonly TextCall[] {
  const fenced = inFence(body);
  if (fenced !== undefined) return callsInBody(fenced, fenced, toolNames);
  const json = jsonCalls(body, toolNames);
  if (json.length > 0) return json;
  const single = namedCall(body, marks, toolNames) ?? keyedCall(body, marks, toolNames);
  if (single) return [single];
  return LiteralReader.whole(body, readGemma) ?? LiteralReader.whole(body, readPython) ?? [];
}

/** What stands in a block of code that is all of the text, without the name of its language. */
export function inFence(text: string): string | undefined {
  if (!text.startsWith(FENCE) || !text.endsWith(FENCE) || text.length < 2 * FENCE.length + 1) return undefined;
  return text
    .slice(FENCE.length, -FENCE.length)
    .replace(/^\w{1,20}/, "")
    .trim();
}

/** Calls that are JSON and nothing else, or lines of it. */
export function jsonCalls(body: string, toolNames: ReadonlySet<string>): readonly TextCall[] {
  if (!/^[[{]/.test(body)) return [];
  const value = readJson(body) ?? LiteralReader.whole(body, (reader) => reader.value());
  if (value !== undefined) return callsIn(value, toolNames);
  const lines = body.split(/;?\s{0,9}\n|;\s{0,9}(?=\{)/).filter((line) => line.trim() !== "");
  const calls = lines.map((line) => callsIn(readJson(line), toolNames));
  return lines.length > 1 && calls.every(({ length }) => length > 0) ? calls.flat() : [];
}

/** One call, or a list of them. */
function callsIn(value: unknown, toolNames: ReadonlySet<string>): readonly TextCall[] {
  const entries = Array.isArray(value) ? value : [value];
  const calls = entries.map((entry) => callOf(entry, toolNames));
  return calls.every((call) => call !== null) ? calls : [];
}

function callOf(value: unknown, toolNames: ReadonlySet<string>): TextCall | null {
  if (!isObject(value)) return null;
  const target = isObject(value.function) ? value.function : value;
  const found = NAME_FIELDS.map((field) => target[field]).find((name) => typeof name === "string" && name !== "");
  if (typeof found !== "string") return callByName(target, toolNames);
  const given = ARGUMENT_FIELDS.map((field) => target[field]).find((args) => args !== undefined);
  const args = typeof given === "string" ? readJson(given) : given;
  return isObject(args) ? { name: withoutNamespace(found, toolNames), args } : null;
}

/** Arguments under the name of their tool (Apertus). */
function callByName(value: JsonObject, toolNames: ReadonlySet<string>): TextCall | null {
  const [entry, ...others] = Object.entries(value);
  if (entry === undefined || others.length > 0 || !toolNames.has(entry[0]) || !isObject(entry[1])) return null;
  return { name: entry[0], args: entry[1] };
}

/** Some templates write `functions.` before each name. */
export function withoutNamespace(name: string, toolNames: ReadonlySet<string>): string {
  const own = name.replace(/^functions?[.:]/, "").replace(/:\d{1,4}$/, "");
  return !toolNames.has(name) && toolNames.has(own) ? own : name;
}

function namedCall(body: string, marks: string, toolNames: ReadonlySet<string>): TextCall | null {
  const [head, name] = NAMED.exec(marks) ?? [];
  if (head === undefined || name === undefined) return null;
  const rest = body.slice(head.length).trim();
  if (rest === "") return toolNames.has(name) ? { name, args: {} } : null;
  const text = inFence(rest) ?? rest;
  const args = readJson(text) ?? LiteralReader.whole(text, (reader) => reader.object());
  return isObject(args) ? { name, args } : null;
}

/** A name, and each argument as a key and a value (GLM). */
function keyedCall(body: string, marks: string, toolNames: ReadonlySet<string>): TextCall | null {
  const [head, name] = /^([\w.-]{1,100})\s{0,9}(?:<tool_sep>)?\s{0,9}(?=<arg_key>)/.exec(marks) ?? [];
  if (head === undefined || name === undefined) return null;
  const args: Record<string, unknown> = {};
  for (const piece of body.slice(head.length).split("<arg_key>").slice(1)) {
    const [key, value] = piece.split("</arg_key>", 2);
    const inner = /^\s{0,9}<arg_value>([\s\S]*?)(?:<\/arg_value>\s*)?$/.exec(value ?? "")?.[1];
    if (key === undefined || inner === undefined) return null;
    args[key.trim()] = inner;
  }
  return { name: withoutNamespace(name, toolNames), args };
}

/** `call:name{key:value}`, several in a row. */
function readGemma(reader: LiteralReader): readonly TextCall[] {
  const calls: TextCall[] = [];
  while (!reader.isAtEnd) {
    reader.expect("call:");
    calls.push({ name: reader.name(), args: reader.object(",}]") });
    reader.takes(",");
  }
  return calls;
}

/** `[name(key=value), …]`, or one call without brackets. */
function readPython(reader: LiteralReader): readonly TextCall[] {
  const read = () => pythonCall(reader);
  return reader.startsWith("[") ? reader.list("[", read) : [read()];
}

function pythonCall(reader: LiteralReader): TextCall {
  const name = reader.name();
  if (name === "print") return reader.list("(", () => pythonCall(reader))[0] ?? { name, args: {} };
  const args = reader.list("(", () => {
    const key = reader.name();
    reader.expect("=");
    return [key, reader.value()];
  });
  return { name, args: Object.fromEntries(args) };
}

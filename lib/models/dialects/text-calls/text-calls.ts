import { isObject, readJson } from "@/lib/models/dialects/event-reader";
import { isInCode } from "@/lib/models/dialects/in-code";
import { callsInBody, inFence, jsonCalls, type TextCall, withoutNamespace } from "./call-forms";

interface TextCalls {
  readonly calls: readonly TextCall[];
  /** In tags, each of which was understood; anything else may be meant as an answer. */
  readonly isTagged: boolean;
  /** There is more than calls: the text is an answer as well. */
  readonly isBesideText: boolean;
}

/** The tags in which models write calls: how each begins and how it ends. */
const TAGS: readonly (readonly [string, string])[] = [
  ...["tool_call", "tool_calls", "function_call", "function_calls", "tool_use", "TOOLCALL", "tools"].map(xml),
  ...["minimax:tool_call", "seed:tool_call", "longcat_tool_call"].map(xml),
  ...["|DSML|tool_calls", "|DSML|function_calls", "||DSML||tool_calls", "||DSML||function_calls"].map(xml),
  ["<|tool_call|>", "<|/tool_call|>"],
  ["<|tool_call>", "<tool_call|>"],
  ["<|tool_calls_begin|>", "<|tool_calls_end|>"],
  ["<|tool_call_begin|>", "<|tool_call_end|>"],
  ["<|tool_calls_section_begin|>", "<|tool_calls_section_end|>"],
  ["<|tool_call_section_begin|>", "<|tool_call_section_end|>"],
  ["<|tool_call_start|>", "<|tool_call_end|>"],
  ["<start_function_call>", "<end_function_call>"],
  ["<|START_ACTION|>", "<|END_ACTION|>"],
  ["<|tools_prefix|>", "<|tools_suffix|>"],
  ["<|action_start|><|plugin|>", "<|action_end|>"],
  ["<|open|>tools<|sep|>", "<|close|>tools<|sep|>"],
  ["<|python_tag|>", "<|eom_id|>"],
  ["[TOOL_CALLS]", "[/TOOL_CALLS]"],
  ["```tool_code", "```"],
  ["```tool_call", "```"],
];
/** Tags that name the tool: Qwen's and Llama's, Anthropic's and MiniMax's, Kimi's. */
const NAMING: readonly RegExp[] = [
  /^<function=["']?([\w.:/-]{1,100})["']?\s{0,9}>/,
  /^<(?:\|{1,2}DSML\|{1,2})?(?:invoke|function|xai:function_call)\s{1,9}name=["']([\w.:/-]{1,100})["'][^<>]{0,100}>/,
  /^<\|open\|>call\s{1,9}tool="([\w.:/-]{1,100})"[^<>]{0,100}<\|sep\|>/,
  /^(?:<\|start\|>assistant)?<\|channel\|>[^{}]{0,60}?\bto=([\w.:/-]{1,100})[^{}]{0,60}(?=\{)/,
];
const ARGUMENT =
  /<(?:(?:\|{1,2}DSML\|{1,2})?parameter(?:=|\s{1,9}name=)|\|open\|>argument\s{1,9}key=)["']?([\w.:-]{1,100})["']?([^<>]{0,100})(?:>|<\|sep\|>)/g;
const END_OF_ARGUMENT = /<\/(?:\|{1,2}DSML\|{1,2})?parameter>|<\|close\|>argument<\|sep\|>/;
const LONGEST = 200_000;
const DEEPEST = 4;
/** So many ends are tried: what a call writes may have the tag within it. */
const MOST_ENDS = 8;
/** So many tags are read: each may go on to the end of the text. */
const MOST_BODIES = 100;

function xml(tag: string): readonly [string, string] {
  return [`<${tag}>`, `</${tag}>`];
}

/** The calls of a text, if it is nothing but calls or has tagged ones beside other text; null for any other text. */
export function readTextCalls(written: string, toolNames: ReadonlySet<string>): TextCalls | null {
  const text = written.trim();
  if (text.length > LONGEST || text === "" || toolNames.size === 0) return null;
  const marks = withPlainMarks(text);
  const reader = new TagReader(toolNames);
  const tagged = reader.read(text, marks, 0);
  if (tagged !== null && tagged.length > 0) return { calls: tagged, isTagged: true, isBesideText: false };
  const isKnown = (calls: readonly TextCall[]) => calls.length > 0 && calls.every(({ name }) => toolNames.has(name));
  const bare = tagged === null ? bareCalls(text, marks, toolNames) : [];
  if (isKnown(bare)) return { calls: bare, isTagged: false, isBesideText: false };
  const beside = reader.readBeside(text, marks);
  if (isKnown(beside)) return { calls: beside, isTagged: false, isBesideText: true };
  // A call that nobody can read, such as one that was cut.
  const isMeant = beginsTag(marks) && [...toolNames].some((name) => hasWord(text, name));
  return isMeant ? { calls: [], isTagged: false, isBesideText: false } : null;
}

/** By so many characters it is known whether a text begins with a call. */
export const CALL_HEAD = 200;

/** Whether the text begins with the tag of a call, or may when more of it arrives. */
export function mayBeginCall(text: string): boolean {
  const marks = withPlainMarks(text.slice(0, CALL_HEAD).trimStart());
  if (beginsTag(marks) || TAGS.some(([tag]) => tag.startsWith(marks))) return true;
  return /^<[|\w:]{0,30}$|^<\|(?:start|channel)\|>[^{]{0,130}$/.test(marks);
}

/** Bars and spaces of the tags that DeepSeek writes in characters of its own. */
function withPlainMarks(text: string): string {
  return text.replaceAll(/[｜‖]/g, "|").replaceAll("▁", "_");
}

function beginsTag(marks: string): boolean {
  if (TAGS.some(([tag]) => marks.startsWith(tag)) || NAMING.some((pattern) => pattern.test(marks))) return true;
  return /^<\|(?:[\w|]{0,30}(?:tool|func|action|plugin|invoke))/i.test(marks);
}

function hasWord(text: string, name: string): boolean {
  for (let at = text.indexOf(name); at >= 0; at = text.indexOf(name, at + 1)) {
    if (!/\w/.test(text.charAt(at - 1)) && !/\w/.test(text.charAt(at + name.length))) return true;
  }
  return false;
}

/** Without tags: JSON, also as a block of code, and what is left of a call where a server removed its tags. */
function bareCalls(text: string, marks: string, toolNames: ReadonlySet<string>): readonly TextCall[] {
  const fenced = /^```(?:json|python|tool)?\s{0,9}\n/.test(text) ? inFence(text) : undefined;
  if (fenced !== undefined) return jsonCalls(fenced, toolNames);
  if (/^[[{]/.test(text)) return callsInBody(text, marks, toolNames);
  const isForm =
    /^(?:call:|functools\[|[\w.:-]{1,100}\s{0,9}(?:\[ARGS\]|\[CALL_ID\]|<\|tool_call_argument_begin\|>|<arg_key>|\{))/;
  if (!isForm.test(marks)) return [];
  const from = marks.startsWith("functools[") ? "functools".length : 0;
  return callsInBody(text.slice(from), marks.slice(from), toolNames);
}

interface Block {
  readonly calls: readonly TextCall[];
  readonly end: number;
}

class TagReader {
  #bodies = 0;
  private readonly toolNames: ReadonlySet<string>;

  constructor(toolNames: ReadonlySet<string>) {
    this.toolNames = toolNames;
  }

  /** The calls of a text that is nothing but tags; empty if one of them can't be read, null if it begins with none. */
  read(text: string, marks: string, depth: number): TextCall[] | null {
    const calls: TextCall[] = [];
    for (let at = spaceEnd(text, 0); at < text.length; ) {
      const block = this.#blockAt(text, marks, { at, depth });
      if (block === null) return calls.length > 0 ? [] : null;
      if (block.calls.length === 0) return [];
      calls.push(...block.calls);
      at = spaceEnd(text, block.end);
    }
    return calls;
  }

  /** The first tagged calls behind or before other text, but for those in code. */
  readBeside(text: string, marks: string): readonly TextCall[] {
    for (const { index } of marks.matchAll(/<(?=[|/\w])|\[TOOL_CALLS\]/g)) {
      if (this.#bodies > MOST_BODIES) break;
      if (!beginsTag(marks.slice(index, index + 300))) continue;
      this.#bodies += 1;
      const block = isInCode(text.slice(0, index)) ? null : this.#blockAt(text, marks, { at: index, depth: 0 });
      if (block && block.calls.length > 0) return block.calls;
    }
    return [];
  }

  /** The block that begins here; null if none does. */
  #blockAt(text: string, marks: string, { at, depth }: { readonly at: number; readonly depth: number }): Block | null {
    if (depth > DEEPEST || this.#bodies > MOST_BODIES) return null;
    const named = this.#namedAt(text, marks, at);
    if (named) return named;
    const tag = TAGS.find(([begin]) => marks.startsWith(begin, at));
    if (tag === undefined) return null;
    const [begin, end] = tag;
    const from = at + begin.length;
    for (const close of endsOf(marks, from, tag)) {
      const calls = this.#bodyCalls(text.slice(from, close), marks.slice(from, close), depth);
      if (calls.length > 0) return { calls, end: marks.startsWith(end, close) ? close + end.length : close };
    }
    return { calls: [], end: text.length };
  }

  #bodyCalls(text: string, marks: string, depth: number): readonly TextCall[] {
    this.#bodies += 1;
    const nested = this.read(text, marks, depth + 1);
    return nested ?? callsInBody(text.trim(), marks.trim(), this.toolNames);
  }

  #namedAt(text: string, marks: string, at: number): Block | null {
    if (marks.charAt(at) !== "<") return null;
    const rest = marks.slice(at, at + 400);
    const found = NAMING.map((pattern) => pattern.exec(rest)).find((match) => match !== null);
    const [opening, name] = found ?? [];
    if (opening === undefined || name === undefined) return null;
    this.#bodies += 1;
    const from = at + opening.length;
    const closing = closingOf(opening);
    const close = opening.endsWith("/>") ? from : marks.indexOf(closing, from);
    const until = close < 0 ? text.length : close;
    const args = argumentsIn(text.slice(from, until).trim(), marks.slice(from, until).trim());
    const end = close < 0 || opening.endsWith("/>") ? until : until + closing.length;
    return { calls: args === null ? [] : [{ name: withoutNamespace(name, this.toolNames), args }], end };
  }
}

/** Where the tag may end: at its own end, before the next of its kind, or with the text. */
function endsOf(marks: string, from: number, [begin, end]: readonly [string, string]): number[] {
  const ends: number[] = [];
  for (const mark of [end, begin]) {
    for (let at = marks.indexOf(mark, from); at >= 0 && ends.length < MOST_ENDS; at = marks.indexOf(mark, at + 1)) {
      ends.push(at);
    }
  }
  return [...ends.sort((a, b) => a - b), marks.length];
}

function closingOf(opening: string): string {
  if (opening.startsWith("<|open|>")) return "<|close|>call<|sep|>";
  if (/^<\|(?:start|channel)\|>/.test(opening)) return "<|call|>";
  return `</${/^<([^\s=>]{1,60})/.exec(opening)?.[1] ?? ""}>`;
}

/** JSON, or one tag for each argument; null if it is neither. */
function argumentsIn(body: string, marks: string): Readonly<Record<string, unknown>> | null {
  const value = body === "" ? {} : readJson(body);
  if (isObject(value)) return value;
  const args: Record<string, unknown> = {};
  const openings = [...marks.matchAll(ARGUMENT)];
  if (openings[0]?.index !== 0) return null;
  for (const [place, { index, 0: opening, 1: key = "", 2: facts = "" }] of openings.entries()) {
    const from = index + opening.length;
    const rest = marks.slice(from, openings[place + 1]?.index ?? marks.length);
    const end = END_OF_ARGUMENT.exec(rest)?.index ?? rest.length;
    args[key] = argumentOf(body.slice(from, from + end), facts);
  }
  return args;
}

/** Text, without the line breaks that a template writes around it, or the JSON that its tag says it is. */
function argumentOf(written: string, facts: string): unknown {
  const isJson = /string="false"|type="(?!string)/.test(facts);
  const value = isJson ? readJson(written) : undefined;
  return value ?? written.replace(/^\r?\n/, "").replace(/\r?\n$/, "");
}

function spaceEnd(text: string, from: number): number {
  let at = from;
  while (at < text.length && /\s/.test(text.charAt(at))) at += 1;
  return at;
}

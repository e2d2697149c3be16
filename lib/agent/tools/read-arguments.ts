import type { ToolCall } from "@/lib/schema/messages/message";
import { coerceArguments } from "./coerce-arguments";
import { refuseDeepArguments } from "./refuse-deep-arguments";
import type { Tool } from "./tool";
import type { Toolbox } from "./toolbox";

type JsonObject = Record<string, unknown>;

/**
 * The calls that a model meant with one: usually itself, under the tool's own names. Arguments in quotes, in a code
 * block or of the wrong type are read as what they say, if nothing else can be meant (`coerced` names where); several
 * objects in a row are several calls, if repeating them is harmless. `rawArgs` stays the text that the model wrote.
 */
export function readCalls(given: ToolCall, toolbox: Pick<Toolbox, "find" | "canonical">): ToolCall[] {
  const call = toolbox.canonical(given);
  const tool = toolbox.find(call.name);
  if (tool === undefined) return [refuseDeepArguments(withoutNames(call))];
  if (call.argsError === undefined) return [withTypes(call, tool)];
  const read = (args: JsonObject, more: Partial<ToolCall>) =>
    withTypes(toolbox.canonical({ ...withArguments(call, args), ...more }), tool);
  const whole = unwrapped(call.rawArgs);
  if (whole) return [read(whole, { coerced: ["whole text"] })];
  const objects = meantObjects(call.rawArgs);
  const [first] = objects;
  if (first === undefined) return [withoutNames(call)];
  if (objects.length === 1) return [read(first.value, { coerced: ["whole text"] })];
  const { readOnly, idempotent } = tool.annotations;
  const several = objects.map(({ value, text }) => read(value, { rawArgs: text }));
  const isHarmless = (readOnly || idempotent) && several.every(({ args }) => tool.parse(args).ok);
  if (isHarmless) return several;
  const argsError = `they are ${objects.length} objects in a row; send them as separate calls`;
  return [{ ...withoutNames(call), argsError }];
}

function withoutNames({ argumentNames: _, ...call }: ToolCall): ToolCall {
  return call;
}

/** With these, under the names that they have here. */
function withArguments({ argsError: _, argumentNames = {}, ...call }: ToolCall, args: JsonObject): ToolCall {
  const entries = Object.entries(args).map(([name, value]) => [ownName(argumentNames, name), value]);
  return { ...call, args: Object.fromEntries(entries) };
}

function ownName(names: Readonly<Record<string, string>>, sent: string): string {
  return Object.hasOwn(names, sent) ? (names[sent] ?? sent) : sent;
}

function withTypes(given: ToolCall, tool: Tool): ToolCall {
  const call = refuseDeepArguments(given);
  if (call.argsError !== undefined) return call;
  const isValid = (args: JsonObject) => tool.parse(args).ok;
  const found = coerceArguments(call.args, tool.parameters, isValid);
  return found === null ? call : { ...call, args: found.args, coerced: [...(call.coerced ?? []), ...found.paths] };
}

const DEEPEST_QUOTES = 3;

/** The object in a code block or in (repeated) quotes, if it is the whole text. */
function unwrapped(rawArgs: string): JsonObject | undefined {
  let value: unknown = rawArgs;
  for (let depth = 0; depth < DEEPEST_QUOTES && typeof value === "string"; depth++) {
    value = readJson(withoutFence(value.trim()));
  }
  return isObject(value) ? value : undefined;
}

function withoutFence(text: string): string {
  if (!text.startsWith("```") || !text.endsWith("```")) return text;
  const inner = text.slice(3, -3);
  const lineEnd = inner.indexOf("\n");
  const isLanguage = lineEnd >= 0 && /^[a-z]*\s*$/i.test(inner.slice(0, Math.min(lineEnd, 20)));
  return isLanguage ? inner.slice(lineEnd + 1) : inner;
}

interface FoundObject {
  readonly value: JsonObject;
  readonly text: string;
}

/**
 * The objects that follow one another in the text, without repetitions: equal neighbours, an empty one before another,
 * and one that the next contains (a snapshot of it). None if anything else is there.
 */
function meantObjects(text: string): FoundObject[] {
  const meant: FoundObject[] = [];
  for (const found of objectsIn(text)) {
    const last = meant.at(-1);
    if (last && contains(found.value, last.value)) meant.pop();
    meant.push(found);
  }
  return meant;
}

function objectsIn(text: string): FoundObject[] {
  const found: FoundObject[] = [];
  for (let from = skipSpace(text, 0); from < text.length; ) {
    const end = endOfObject(text, from);
    const piece = text.slice(from, end);
    const value = end < 0 ? undefined : readJson(piece);
    if (!isObject(value)) return [];
    found.push({ value, text: piece });
    from = skipSpace(text, end);
  }
  return found;
}

function skipSpace(text: string, from: number): number {
  let at = from;
  while (at < text.length && /\s/.test(text.charAt(at))) at += 1;
  return at;
}

/** Where the object that begins at `from` ends; -1 if none does. */
function endOfObject(text: string, from: number): number {
  if (text[from] !== "{") return -1;
  let depth = 0;
  for (let at = from; at < text.length; at++) {
    const char = text[at];
    if (char === '"') at = endOfText(text, at);
    else if (char === "{") depth += 1;
    else if (char === "}") depth -= 1;
    if (depth === 0) return at + 1;
  }
  return -1;
}

/** The closing quotation mark of the text that begins at `from`. */
function endOfText(text: string, from: number): number {
  let at = from + 1;
  while (at < text.length && text[at] !== '"') at += text[at] === "\\" ? 2 : 1;
  return at;
}

function contains(larger: JsonObject, smaller: JsonObject): boolean {
  return Object.entries(smaller).every(
    ([key, value]) => Object.hasOwn(larger, key) && JSON.stringify(larger[key]) === JSON.stringify(value),
  );
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

import { isObject, type JsonObject, readJson } from "./event-reader";
import { callFieldsIn, opaqueFieldsIn } from "./opaque-fields";

/** A piece of one tool call. */
export interface CallPiece {
  readonly index: number | undefined;
  /** It stands behind another in a list whose calls have no number. */
  readonly isBehindAnother?: true;
  readonly id: string;
  readonly name: string;
  readonly text: string;
  /** What the server needs back with the call, such as Gemini's thought signature. */
  readonly extra: unknown;
  /** Further fields that go back beside it. */
  readonly fields: JsonObject | undefined;
}

/** What one piece of a reply adds, in the order in which it is read. */
export interface Delta {
  readonly reasoning: string;
  /** The name under which the reasoning came, and goes back. */
  readonly reasoningField: string | undefined;
  readonly details: readonly JsonObject[];
  /** What only the server understands and wants back with the message. */
  readonly opaque: JsonObject | undefined;
  readonly text: string;
  readonly refusal: string;
  readonly calls: readonly CallPiece[];
}

const REASONING_FIELDS = ["reasoning_content", "reasoning", "reasoning_text", "thinking"];
const NO_DETAILS: readonly JsonObject[] = [];
const NO_CALLS: readonly CallPiece[] = [];

/** Reads what can be understood of a delta or a message; everything else is passed over. */
export function readDelta(delta: JsonObject): Delta {
  const thoughts = reasoningOf(delta);
  const content = readContent(delta.content);
  return {
    reasoning: thoughts.text + content.thoughts,
    reasoningField: thoughts.field,
    details: Array.isArray(delta.reasoning_details) ? delta.reasoning_details.filter(isObject) : NO_DETAILS,
    opaque: opaqueFieldsIn(delta),
    text: content.text || transcriptOf(delta.audio),
    refusal: typeof delta.refusal === "string" ? delta.refusal : "",
    calls: callsOf(delta),
  };
}

/** The words of a spoken reply, where there is no text. */
function transcriptOf(audio: unknown): string {
  return isObject(audio) && typeof audio.transcript === "string" ? audio.transcript : "";
}

function reasoningOf(delta: JsonObject): { text: string; field: string | undefined } {
  for (const field of REASONING_FIELDS) {
    const value = delta[field];
    if (value === undefined || value === null || value === "") continue;
    const text = plainText(value);
    if (text !== "") return { text, field };
  }
  return { text: "", field: undefined };
}

/** Text, or parts: text, and with some servers thoughts (Mistral). */
function readContent(content: unknown): { text: string; thoughts: string } {
  if (typeof content === "string") return { text: content, thoughts: "" };
  let text = "";
  let thoughts = "";
  for (const part of Array.isArray(content) ? content : [content]) {
    const isThought = isObject(part) && (part.thought === true || /think|reason/.test(String(part.type)));
    if (isThought) thoughts += plainText(part.thinking ?? part.reasoning ?? part.text ?? part.content);
    else text += plainText(part);
  }
  return { text, thoughts };
}

/** The text of a value: itself, its `text` or `content`, or that of its entries. */
function plainText(value: unknown, depth = 0): string {
  if (typeof value === "string") return value;
  if (typeof value === "number") return String(value);
  if (depth > 3) return "";
  if (Array.isArray(value)) return value.map((entry) => plainText(entry, depth + 1)).join("");
  return isObject(value) ? plainText(value.text ?? value.content, depth + 1) : "";
}

function callsOf(delta: JsonObject): readonly CallPiece[] {
  const { tool_calls: calls = delta.toolCalls, function_call: single, content } = delta;
  if (Array.isArray(calls) && calls.length > 0) return inOrder(calls.filter(isObject).map(toPiece));
  if (isObject(calls)) return [toPiece(calls)];
  if (isObject(single)) return [toPiece({ function: single, index: 0 })];
  return Array.isArray(content) ? inOrder(content.filter(isCallPart).map(toPiece)) : NO_CALLS;
}

const CALL_PARTS: readonly unknown[] = ["tool_use", "tool_call", "function_call"];

/** Some gateways leave calls among the parts of the content, as Anthropic sends them. */
function isCallPart(part: unknown): part is JsonObject {
  return isObject(part) && CALL_PARTS.includes(part.type);
}

/** Where nothing else tells the calls of one list apart, their order does. */
function inOrder(pieces: readonly CallPiece[]): readonly CallPiece[] {
  if (pieces.length < 2 || pieces.some(({ index }) => index !== undefined)) return pieces;
  return pieces.map((piece, at) => (at === 0 ? piece : { ...piece, isBehindAnother: true }));
}

function toPiece(call: JsonObject): CallPiece {
  const target = targetOf(call);
  const { id, index } = call;
  const signature = call.thought_signature ?? target.thought_signature;
  const fallback = signature ? { google: { thought_signature: signature } } : undefined;
  return {
    index: readIndex(index),
    id: typeof id === "string" ? id : typeof id === "number" ? String(id) : "",
    name: typeof target.name === "string" ? target.name : "",
    text: argumentsText(target.arguments ?? target.input ?? target.parameters ?? target.args),
    extra: isObject(call.extra_content) ? call.extra_content : fallback,
    fields: callFieldsIn(call, target),
  };
}

/** Where name and arguments stand: in `function`, if only as text, or in the call itself. */
function targetOf(call: JsonObject): JsonObject {
  const named = call.function;
  if (typeof named !== "string") return isObject(named) ? named : call;
  const read = readJson(named);
  return isObject(read) ? read : { ...call, name: call.name ?? named };
}

function readIndex(index: unknown): number | undefined {
  const number = typeof index === "string" && index !== "" ? Number(index) : index;
  return typeof number === "number" && Number.isInteger(number) ? number : undefined;
}

function argumentsText(value: unknown): string {
  if (typeof value === "string") return value;
  return value === undefined || value === null ? "" : JSON.stringify(value);
}

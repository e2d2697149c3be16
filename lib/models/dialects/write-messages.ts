import type { LanguageModelV4FilePart, LanguageModelV4Message, LanguageModelV4Prompt } from "@ai-sdk/provider";
import type { Traits } from "@/lib/schema/dialect";
import type { DialectNeeds } from "./dialect-presets";
import { isObject, type JsonObject } from "./event-reader";
import { KEPT } from "./reply-reader";
import { hasThoughts, type Rewriting } from "./rewriting";
import { shortId } from "./short-id";

export interface WritingManner {
  readonly traits: Traits;
  readonly needs: DialectNeeds;
  /** Provider, origin and model; what another one wrote for itself does not go to this one. */
  readonly writer: string;
}

type Assistant = Extract<LanguageModelV4Message, { role: "assistant" }>;
type UserTurn = Extract<LanguageModelV4Message, { role: "user" }>;
type ToolTurn = Extract<LanguageModelV4Message, { role: "tool" }>;
type Written = Record<string, unknown> & { role: string };

const EARLIER_TURNS: Written = { role: "user", content: "[Earlier messages are left out.]" };
/** Stands where a reply is missing, because the run ended before it. */
const NO_REPLY: Written = { role: "assistant", content: "Stopped before an answer." };

/** The messages of a request's body, as the server's traits want them, and what that has changed. */
export function writeMessages(prompt: LanguageModelV4Prompt, manner: WritingManner) {
  const { traits } = manner;
  const lastAsked = prompt.findLastIndex(({ role }) => role === "user");
  const isReasoningSent = (at: number) =>
    traits.reasoningBack === "always" || (traits.reasoningBack === "in_turn" && at > lastAsked);
  const withReasoning = { ...manner, withReasoning: true };
  const withoutReasoning = { ...manner, withReasoning: false };
  const written: Written[] = [];
  for (const [at, turn] of prompt.entries()) {
    written.push(...writeTurn(turn, isReasoningSent(at) ? withReasoning : withoutReasoning));
  }
  const alternating = traits.roles === "strict" ? alternate(written) : written;
  const separated = traits.toolThenUser && traits.roles === "free" ? alternating : replyBetween(alternating);
  const messages = traits.systemRole === "user" ? withoutSystem(separated) : separated;
  const begun = separated.filter((message) => message === EARLIER_TURNS).length;
  const rewriting: Rewriting = {
    lostThoughts: prompt.filter(isThoughtLost).length,
    rewritten: {
      turns_merged: written.length + begun - alternating.length,
      turns_added: begun + separated.filter((message) => message === NO_REPLY).length,
      call_ids: countRenamedCalls(prompt, traits),
      system_as:
        traits.systemRole === "system" || !prompt.some(({ role }) => role === "system") ? null : traits.systemRole,
    },
  };
  return { messages, rewriting };
}

function countRenamedCalls(prompt: LanguageModelV4Prompt, traits: Traits): number {
  let renamed = 0;
  for (const { role, content } of prompt) {
    if (role !== "assistant") continue;
    for (const part of content) {
      if (part.type === "tool-call" && writeId(part.toolCallId, traits) !== part.toolCallId) renamed += 1;
    }
  }
  return renamed;
}

const RETURNED = ["reasoning_details", "reasoning", "reasoning_content", "reasoning_opaque", "thinking_blocks"];

/** Whether a reply's thoughts are not sent back, as most servers want it. */
function isThoughtLost(turn: LanguageModelV4Message): boolean {
  if (!hasThoughts(turn)) return false;
  const [message = {}] = lastWritten.get(turn)?.messages ?? [];
  return !RETURNED.some((field) => field in message);
}

interface TurnManner extends WritingManner {
  readonly withReasoning: boolean;
}

interface WrittenTurn extends TurnManner {
  readonly messages: readonly Written[];
}

/** A run's next call has the same turns and a few more. */
const lastWritten = new WeakMap<LanguageModelV4Message, WrittenTurn>();

function writeTurn(turn: LanguageModelV4Message, manner: TurnManner): readonly Written[] {
  const known = lastWritten.get(turn);
  const isSame =
    known?.traits === manner.traits && known.writer === manner.writer && known.withReasoning === manner.withReasoning;
  if (isSame) return known.messages;
  const messages = newlyWritten(turn, manner);
  lastWritten.set(turn, { ...manner, messages });
  return messages;
}

function newlyWritten(turn: LanguageModelV4Message, manner: TurnManner): readonly Written[] {
  switch (turn.role) {
    case "system":
      return [{ role: manner.traits.systemRole === "developer" ? "developer" : "system", content: turn.content }];
    case "user":
      return [{ role: "user", content: userContent(turn) }];
    case "assistant":
      return [writeAssistant(turn, manner)];
    default:
      return writeResults(turn, manner);
  }
}

function userContent({ content }: UserTurn): unknown {
  const [first] = content;
  if (content.length === 1 && first?.type === "text") return first.text;
  return content.map((part) => (part.type === "text" ? { type: "text", text: part.text } : writePicture(part)));
}

function writePicture({ data, mediaType }: LanguageModelV4FilePart): JsonObject {
  const bytes = data.type === "data" ? data.data : "";
  const base64 = typeof bytes === "string" ? bytes : Buffer.from(bytes).toString("base64");
  return { type: "image_url", image_url: { url: `data:${mediaType};base64,${base64}` } };
}

function writeAssistant(turn: Assistant, manner: TurnManner): Written {
  const text = turn.content.map((part) => (part.type === "text" ? part.text : "")).join("");
  const calls = turn.content.flatMap((part) => (part.type === "tool-call" ? [part] : []));
  const toolCalls = calls.map((call, index) => ({
    id: writeId(call.toolCallId, manner.traits),
    type: "function",
    function: { name: call.toolName, arguments: JSON.stringify(call.input) },
    ...extraOf(call.providerOptions?.[KEPT], index, manner),
  }));
  const message = { role: "assistant", ...reasoningOf(turn, manner) };
  if (toolCalls.length === 0) return { ...message, content: text };
  return { ...message, ...textBesideCalls(text, manner.traits), tool_calls: toolCalls };
}

function textBesideCalls(text: string, { emptyText }: Traits): JsonObject {
  if (text !== "") return { content: text };
  if (emptyText === "omit") return {};
  return { content: emptyText === "null" ? null : "" };
}

/** What was kept for this writer; null if another one wrote it. */
function keptFor(writer: string, kept: unknown): JsonObject | null {
  return isObject(kept) && kept.writer === writer ? kept : null;
}

function extraOf(given: unknown, index: number, { writer, needs }: TurnManner): JsonObject {
  const kept = keptFor(writer, given);
  if (kept !== null && (isObject(kept.extra) || isObject(kept.fields))) {
    return {
      ...(isObject(kept.extra) ? { extra_content: kept.extra } : {}),
      ...(isObject(kept.fields) ? kept.fields : {}),
    };
  }
  if (needs.signature === undefined || index > 0) return {};
  return { extra_content: { google: { thought_signature: needs.signature } } };
}

/**
 * What the same model wrote for itself. `reasoning_details` and opaque fields always go back: without them the next
 * call is refused.
 */
function reasoningOf({ content }: Assistant, { writer, withReasoning, needs }: TurnManner): JsonObject {
  const fields: Record<string, unknown> = {};
  for (const part of content) {
    if (part.type !== "reasoning") continue;
    const kept = keptFor(writer, part.providerOptions?.[KEPT]);
    if (kept === null) continue;
    if (Array.isArray(kept.details)) fields.reasoning_details = kept.details;
    if (isObject(kept.opaque)) Object.assign(fields, kept.opaque);
    if (withReasoning) addReasoning(fields, String(kept.field ?? "reasoning_content"), part.text);
  }
  const isMissing = withReasoning && needs.needsReasoning && Object.keys(fields).length === 0;
  return isMissing ? { reasoning_content: "" } : fields;
}

function addReasoning(fields: Record<string, unknown>, field: string, text: string): void {
  if (text !== "") fields[field] = `${fields[field] ?? ""}${text}`;
}

function writeResults({ content }: ToolTurn, { traits }: TurnManner): Written[] {
  return content.flatMap((part) => {
    if (part.type !== "tool-result") return [];
    const { output } = part;
    const text = output.type === "text" || output.type === "error-text" ? output.value : JSON.stringify(output);
    return [{ role: "tool", tool_call_id: writeId(part.toolCallId, traits), content: text }];
  });
}

const NINE = /^[a-zA-Z0-9]{9}$/;
const LONGEST = 40;

/** The same id for a call and its result, as the server wants it. */
function writeId(id: string, { ids }: Traits): string {
  const fits = ids === "nine" ? NINE.test(id) : ids === "free" || id.length <= LONGEST;
  return fits ? id : shortId(id);
}

/** Neighbouring turns of one side become one; a person's turn comes first. */
function alternate(messages: readonly Written[]): Written[] {
  const result: Written[] = [];
  for (const message of messages) {
    const last = result.at(-1);
    const isFirst = last === undefined || isSystem(last);
    if (isFirst && message.role === "assistant") result.push(EARLIER_TURNS);
    if (last?.role === "user" && message.role === "user") result[result.length - 1] = joined(last, message);
    else if (last?.role === "assistant" && message.role === "assistant" && !last.tool_calls) {
      result[result.length - 1] = { ...last, ...message, content: joinContent(last.content, message.content) };
    } else result.push(message);
  }
  return result;
}

function replyBetween(messages: readonly Written[]): readonly Written[] {
  const isUnanswered = (message: Written, at: number) => message.role === "user" && messages[at - 1]?.role === "tool";
  if (!messages.some(isUnanswered)) return messages;
  return messages.flatMap((message, at) => (isUnanswered(message, at) ? [NO_REPLY, message] : [message]));
}

function withoutSystem(messages: readonly Written[]): Written[] {
  const [system, first, ...rest] = messages;
  if (!system || !isSystem(system)) return [...messages];
  const asUser: Written = { role: "user", content: system.content };
  if (first?.role === "user") return [joined(asUser, first), ...rest];
  return first ? [asUser, first, ...rest] : [asUser];
}

function isSystem({ role }: Written): boolean {
  return role === "system" || role === "developer";
}

function joined(one: Written, other: Written): Written {
  return { role: one.role, content: joinContent(one.content, other.content) };
}

/** Texts are joined by a blank line; pictures are kept. */
function joinContent(one: unknown, other: unknown): unknown {
  if (typeof one === "string" && typeof other === "string") return [one, other].filter(Boolean).join("\n\n");
  if (one === null || one === undefined || one === "") return other;
  return [...partsOf(one), ...partsOf(other)];
}

function partsOf(content: unknown): readonly unknown[] {
  if (Array.isArray(content)) return content;
  return typeof content === "string" && content !== "" ? [{ type: "text", text: content }] : [];
}

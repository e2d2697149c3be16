import { tokensOf } from "@/lib/agent/messages/estimate-tokens";
import type { ModelRequest } from "@/lib/agent/model";
import type { TraceRecorder } from "@/lib/agent/run-context";
import type { Message } from "@/lib/schema/messages/message";

/** A request sent to the model, and its answer; the segment's next request is recorded as a diff against it. */
export interface SentRequest {
  readonly spanId: string;
  readonly messages: readonly Message[];
  /** Null until the model has answered. */
  reply: Message | null;
  /** The hashes of the messages, then of the reply. The next request's record takes over this list and extends it. */
  readonly hashes: string[];
  readonly tools: ModelRequest["tools"];
  readonly system: ModelRequest["system"];
}

/** The hash of a message, or the positions of the first and last thread row of consecutive messages. */
type MessageName = string | [first: number, last: number];

interface SendingCall {
  readonly trace: TraceRecorder;
  readonly spanId: string;
  readonly charsPerToken: number;
  /** The previous call; null records this one in full. */
  readonly base?: SentRequest | null;
  /** The run's own messages, which its thread stores; none for a call outside a thread. */
  readonly added?: readonly Message[];
}

/** A span's request attributes before anything is sent; they remain if a ring answers in the model's place. */
export const NOTHING_SENT = { kept_messages: 0, message_hashes: [] };

/**
 * Stores the parts of the request that are stored nowhere else, and returns its span attributes (D-82): the call it
 * builds on, how many of its first messages are that call's (including its reply), the names of the remaining messages,
 * and the hashes of the system prompt's parts and of the tools if they differ. These are enough to reconstruct the
 * request.
 */
export function recordSent(request: ModelRequest, call: SendingCall) {
  const { base = null } = call;
  const { system, messages, tools, maxTokens, temperature, effort } = request;
  const { hashes, kept } = hashMessages(messages, call);
  const attributes = {
    base_call: base?.spanId ?? null,
    kept_messages: kept,
    message_hashes: nameMessages(messages, hashes, kept, call.trace),
    ...(base && hasSameParts(system, base.system) ? {} : { sections: keepParts(system, call) }),
    ...(base && hasSameTools(tools, base.tools) ? {} : { tools_hash: call.trace.keepText(JSON.stringify(tools)) }),
    max_tokens: maxTokens,
    ...(temperature === null ? {} : { temperature }),
    ...(effort === undefined ? {} : { effort }),
  };
  const sent: SentRequest = { spanId: call.spanId, messages, reply: null, hashes, tools, system };
  return { attributes, sent };
}

function keepParts(system: ModelRequest["system"], { trace, charsPerToken }: SendingCall) {
  return system.map(({ name, text }) => ({
    name,
    tokens: tokensOf(text, charsPerToken),
    estimated: true,
    hash: trace.keepText(text),
  }));
}

/**
 * The hashes of the messages, and how many leading ones are the base's, including its reply. A message that the
 * previous call sent has a known hash, so the cost of a step does not grow with the history.
 */
function hashMessages(messages: readonly Message[], { trace, base, added = [] }: SendingCall) {
  const known = base ? base.messages.length + (base.reply ? 1 : 0) : 0;
  let same = 0;
  while (base && same < messages.length && same < known && messages[same] === messageAt(base, same)) same += 1;
  const hashes = base && same === known ? base.hashes : (base?.hashes.slice(0, same) ?? []);
  // If a ring called twice, discards what its first request appended to the base's list.
  hashes.length = same;
  for (let index = same; index < messages.length; index += 1) {
    const message = messages[index] as Message;
    const isBases = base && index < known && messageAt(base, index) === message;
    hashes.push((isBases && base.hashes[index]) || trace.keepMessage(message, added.includes(message)));
  }
  let kept = same;
  while (base && kept < messages.length && kept < known && hashes[kept] === base.hashes[kept]) kept += 1;
  return { hashes, kept };
}

function messageAt({ messages, reply }: SentRequest, index: number): Message | null | undefined {
  return index === messages.length ? reply : messages[index];
}

/** Consecutive thread rows are named as one range, so that a long history takes no space in each run's trace. */
function nameMessages(
  messages: readonly Message[],
  hashes: readonly string[],
  start: number,
  trace: TraceRecorder,
): MessageName[] {
  const names: MessageName[] = [];
  for (let index = start; index < messages.length; index += 1) {
    const position = trace.rowPosition(messages[index] as Message);
    const last = names.at(-1);
    if (position === null) names.push(hashes[index] as string);
    else if (typeof last === "object" && last[1] === position - 1) last[1] = position;
    else names.push([position, position]);
  }
  return names;
}

export function hasSameParts(one: ModelRequest["system"], other: ModelRequest["system"]): boolean {
  if (one.length !== other.length) return false;
  return one.every((part, index) => part.name === other[index]?.name && part.text === other[index]?.text);
}

export function hasSameTools(one: ModelRequest["tools"], other: ModelRequest["tools"]): boolean {
  return one === other || (one.length === other.length && one.every((tool, index) => tool === other[index]));
}

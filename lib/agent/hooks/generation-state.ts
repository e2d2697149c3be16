import { z } from "zod";
import { checkChain } from "@/lib/agent/messages/check-chain";
import type { PromptSection } from "@/lib/agent/model";
import type { RunContext } from "@/lib/agent/run-context";
import type { Message } from "@/lib/schema/messages/message";
import type { GenerationChanges, PreparedMessages } from "@/lib/schema/runs/generation";
import type { Usage } from "@/lib/schema/runs/usage";

/**
 * S2's mutable state of one run, shared by the run's guards in list order. Every model call of the run starts from
 * the `systemPrompt` and `messages` that `preGeneration` left behind; the stored history is unchanged.
 */
export interface GenerationState {
  readonly sessionId: string;
  readonly userId: string;
  systemPrompt: string;
  /** The thread and this run's input, without system messages. */
  messages: Message[];
  /**
   * Shared by all hooks of the run. Values that `preGeneration` sets are available to later segments if they are plain
   * JSON.
   */
  readonly values: Map<string, unknown>;
}

/** The state once the run has ended, with S2's outputs. */
export interface FinishedGeneration extends GenerationState {
  readonly response: string;
  /** The messages of this run, including its input. */
  readonly outputMessages: readonly Message[];
  readonly usage: Usage;
}

/** Replaces the agent's prompt and the conversation as the start of the run's requests; null leaves them unchanged. */
interface GenerationBase {
  readonly system: readonly PromptSection[] | null;
  readonly messages: readonly Message[] | null;
}

/** Tracks whether `preGeneration` has yet to run, and its outcome. */
export interface Generation {
  /** True in the run's first segment (D-73) until its hooks have prepared the run. */
  open: boolean;
  state: GenerationState | null;
  /** The conversation's own messages, keyed by the copies in the state. */
  readonly originals: Map<Message, Message>;
  base: GenerationBase;
  /** Names of the values that `preGeneration` set. */
  readonly changed: Set<string>;
  /** The changes as journalled, in this segment or an earlier one. */
  changes: GenerationChanges | null;
}

const GENERATION = "guard.generation";
const AS_IT_IS: GenerationBase = { system: null, messages: null };

/**
 * Applies what an earlier segment prepared; without `changes`, this segment's hooks may prepare the run if `isFirst`.
 */
export function openGeneration(context: RunContext, changes: GenerationChanges | null, isFirst: boolean): Generation {
  const generation: Generation = {
    open: isFirst && changes === null,
    state: null,
    originals: new Map(),
    base: changes ? readBase(context, changes) : AS_IT_IS,
    changed: new Set(),
    changes,
  };
  for (const [name, value] of Object.entries(changes?.values ?? {})) context.values.set(name, value);
  context.values.set(GENERATION, generation);
  return generation;
}

/**
 * Lets a guard prepare the run, unless an earlier segment did. Throws `invalid_chain` if the guard broke the messages.
 */
export async function prepareGeneration(
  context: RunContext,
  culprit: string,
  prepare: (state: GenerationState) => Promise<void> | void,
): Promise<void> {
  const generation = generationOf(context);
  if (!generation.open) return;
  const state = stateOf(generation, context);
  const before = { messages: [...state.messages], length: state.messages.length };
  const valuesBefore = new Map(context.values);
  await prepare(state);
  for (const [name, value] of context.values) if (valuesBefore.get(name) !== value) generation.changed.add(name);
  checkChain(state.messages, culprit, before);
  for (const message of state.messages) {
    const original = generation.originals.get(message);
    if (original && !isAsBefore(message, original)) checkChain([message], culprit, { messages: [], length: 0 });
  }
}

/** Ends the preparation and returns the changes to journal; null if no guard prepared anything in this segment. */
export function closeGeneration(context: RunContext): GenerationChanges | null {
  const generation = generationOf(context);
  if (!generation.open) return null;
  generation.open = false;
  const { state, originals, changed } = generation;
  if (!state) return null;
  const conversation = conversationOf(context);
  const messages = state.messages.map((message) => {
    const original = originals.get(message);
    return original && isAsBefore(message, original) ? original : message;
  });
  const isChanged = messages.length !== conversation.length || messages.some((it, at) => it !== conversation[at]);
  const isPromptChanged = state.systemPrompt !== promptOf(context);
  generation.base = {
    system: isPromptChanged ? [{ name: "identity", text: state.systemPrompt }] : null,
    messages: isChanged ? messages : null,
  };
  generation.changes = {
    ...(isPromptChanged ? { systemPrompt: state.systemPrompt } : {}),
    ...(isChanged ? { messages: writeMessages(messages, conversation) } : {}),
    ...(changed.size > 0 ? { values: plainValues(context, changed) } : {}),
  };
  return generation.changes;
}

/** What guards changed before the run's first model call; null for nothing. */
export function preparedGeneration({ values }: RunContext): GenerationChanges | null {
  const { changes = null } = (values.get(GENERATION) as Generation | undefined) ?? {};
  return changes && Object.keys(changes).length > 0 ? changes : null;
}

/** The state with the run's outcome, for `postGeneration`. */
export function finishedGeneration(
  context: RunContext,
  outcome: { readonly response: string; readonly added: readonly Message[]; readonly usage: Usage },
): FinishedGeneration {
  const { response, added, usage } = outcome;
  return { ...stateOf(generationOf(context), context), response, outputMessages: added, usage };
}

function generationOf(context: RunContext): Generation {
  const known = context.values.get(GENERATION) as Generation | undefined;
  return known ?? openGeneration(context, null, context.segment === 0);
}

function stateOf(generation: Generation, context: RunContext): GenerationState {
  if (generation.state) return generation.state;
  const { base, originals } = generation;
  // Copied, because a guard may change messages in place, and the conversation's own messages are stored.
  const messages = (base.messages ?? conversationOf(context)).map((original): Message => {
    const copy = { ...original };
    originals.set(copy, original);
    return copy;
  });
  const systemPrompt = base.system?.map(({ text }) => text).join("\n\n") ?? promptOf(context);
  const { threadId: sessionId, userId, values } = context;
  generation.state = { sessionId, userId, systemPrompt, messages, values };
  return generation.state;
}

function promptOf(context: RunContext): string {
  return context.system.map((section) => section.text).join("\n\n");
}

function conversationOf(context: RunContext): Message[] {
  return context.messages.filter((message) => message.role !== "system");
}

function isAsBefore(message: Message, original: Message): boolean {
  const [now, then] = [Object.entries(message), new Map(Object.entries(original))];
  return now.length === then.size && now.every(([name, value]) => then.get(name) === value);
}

/** The values that survive into later segments; those that don't are logged. */
function plainValues(context: RunContext, names: ReadonlySet<string>): NonNullable<GenerationChanges["values"]> {
  const values: NonNullable<GenerationChanges["values"]> = {};
  for (const name of names) {
    const plain = z.json().safeParse(context.values.get(name));
    if (plain.success) values[name] = plain.data;
    else
      context.logLine(
        "warn",
        `the value ${JSON.stringify(name)} of a hook is not plain JSON: a later segment of the run will not have it`,
      );
  }
  return values;
}

function writeMessages(messages: readonly Message[], conversation: readonly Message[]): PreparedMessages {
  const places = new Map(conversation.map((message, index) => [message, index]));
  const written: PreparedMessages = [];
  for (const message of messages) {
    const place = places.get(message);
    if (place === undefined) {
      written.push({ message });
      continue;
    }
    const fromEnd = conversation.length - place;
    const last = written.at(-1);
    if (last && "to" in last && last.to === fromEnd) last.to -= 1;
    else written.push({ from: place === 0 ? null : fromEnd, to: fromEnd - 1 });
  }
  return written;
}

function readBase(context: RunContext, { systemPrompt, messages }: GenerationChanges): GenerationBase {
  const conversation = conversationOf(context);
  const total = conversation.length;
  return {
    system: systemPrompt === undefined ? null : [{ name: "identity", text: systemPrompt }],
    messages:
      messages?.flatMap((part) =>
        "message" in part
          ? [part.message]
          : conversation.slice(part.from === null ? 0 : Math.max(0, total - part.from), Math.max(0, total - part.to)),
      ) ?? null,
  };
}

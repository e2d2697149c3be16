import type { Message } from "@/lib/schema/message";
import type { ModelRequest } from "./model";
import type { RunContext } from "./run-context";

/**
 * S2's mutable state of one run, shared by the guards of a run in list order. What they change of `systemPrompt`
 * and `messages` is what every model call of the run starts from; the stored history stays as it is.
 */
export interface GenerationState {
  readonly sessionId: string;
  readonly userId: string;
  systemPrompt: string;
  /** The thread and this run's input. */
  messages: Message[];
  readonly values: Map<string, unknown>;
}

interface Generation {
  readonly state: GenerationState;
  readonly systemPrompt: string;
  readonly messages: readonly Message[];
}

const GENERATION = "guard.generation";
const APPLIED = "guard.generation-applied";

/** The run's state; the first guard that asks makes it. */
export function generationState(context: RunContext): GenerationState {
  const known = context.values.get(GENERATION) as Generation | undefined;
  if (known) return known.state;
  const systemPrompt = context.system.map((section) => section.text).join("\n\n");
  const messages = context.messages.filter((message) => message.role !== "system");
  const state: GenerationState = {
    sessionId: context.threadId,
    userId: context.userId,
    systemPrompt,
    messages: [...messages],
    values: context.values,
  };
  context.values.set(GENERATION, { state, systemPrompt, messages } satisfies Generation);
  return state;
}

/** The request with what the guards changed. Done once per request, by whichever guard comes first. */
export function applyGenerationState(request: ModelRequest, context: RunContext): ModelRequest {
  const generation = context.values.get(GENERATION) as Generation | undefined;
  if (!generation || context.values.get(APPLIED) === context.step) return request;
  context.values.set(APPLIED, context.step);
  const { state, systemPrompt, messages } = generation;
  const rest = request.system.slice(context.system.length);
  /** As the request has them: a long message of the user is shortened there (D-30). */
  const sent = new Map(messages.map((message, index) => [message, request.messages[index] ?? message]));
  return {
    ...request,
    system:
      state.systemPrompt === systemPrompt ? request.system : [{ name: "identity", text: state.systemPrompt }, ...rest],
    messages: isSame(state.messages, messages)
      ? request.messages
      : [...state.messages.map((message) => sent.get(message) ?? message), ...request.messages.slice(messages.length)],
  };
}

function isSame(left: readonly Message[], right: readonly Message[]): boolean {
  return left.length === right.length && left.every((message, index) => message === right[index]);
}

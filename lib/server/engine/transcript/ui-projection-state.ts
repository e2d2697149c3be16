import type { InferUIMessageChunk, UIMessage } from "ai";
import type { DataParts, MessageMetadata, ToolMetaData } from "@/lib/schema/messages/ui-message";
import type { ModelReply } from "@/lib/schema/runs/run-event";
import { addSpending, NO_USAGE, type Usage } from "@/lib/schema/runs/usage";
import type { ShownInterrupt } from "./project-interrupts";

/** A run's assistant message as the chat holds it. */
export type ChatMessage = UIMessage<MessageMetadata, DataParts>;
export type ChatChunk = InferUIMessageChunk<ChatMessage>;

/** The UI projection's state between two rows of one run. */
export interface UiState {
  started: boolean;
  startedAtMs: number;
  step: number | null;
  /** The step whose model call has no answer yet, or only an empty one: a Retry repeats it. */
  unansweredStep: number | null;
  /** The text or reasoning part being written. */
  open: { readonly kind: "text" | "reasoning"; readonly id: string } | null;
  streamedText: boolean;
  /** Calls without a result, with what their cards know. */
  readonly openCalls: Map<string, Omit<ToolMetaData, "toolCallId">>;
  /** Calls that wait and have not continued. */
  readonly pendingCalls: Set<string>;
  /** Cards of calls that wait or waited for a person. */
  readonly interrupts: Map<string, ShownInterrupt>;
  isWaiting: boolean;
  /** Calls whose child run's usage is already in `usage`. */
  readonly countedChildren: Set<string>;
  usage: Usage;
  /** Null once a price was unknown. */
  costUsd: number | null;
  /** The model that gave the last reply. */
  model: string | undefined;
  /** The model of the current attempt. */
  asked: string | undefined;
}

export function newUiState(): UiState {
  return {
    started: false,
    startedAtMs: 0,
    step: null,
    unansweredStep: null,
    open: null,
    streamedText: false,
    openCalls: new Map(),
    pendingCalls: new Set(),
    interrupts: new Map(),
    isWaiting: false,
    countedChildren: new Set(),
    usage: NO_USAGE,
    costUsd: 0,
    model: undefined,
    asked: undefined,
  };
}

/** Ends the text or reasoning part that is open, if any. */
export function closePart(state: UiState): ChatChunk[] {
  if (state.open === null) return [];
  const { kind, id } = state.open;
  state.open = null;
  return [{ type: `${kind}-end`, id }];
}

/** The chunks of one delta: it opens a part of its kind if none is open. Part ids come from the row's number. */
export function writePart(state: UiState, kind: "text" | "reasoning", delta: string, seq: number): ChatChunk[] {
  if (kind === "text") state.streamedText = true;
  if (state.open?.kind === kind) return [{ type: `${kind}-delta`, id: state.open.id, delta }];
  const before = closePart(state);
  const id = `${kind}-${seq}`;
  state.open = { kind, id };
  return [...before, { type: `${kind}-start`, id }, { type: `${kind}-delta`, id, delta }];
}

export function countReply(state: UiState, reply: ModelReply): void {
  Object.assign(state, addSpending(state, reply), { model: reply.model });
}

/** A child run's usage counts as its parent's; a takeover may report the same child again. */
export function countChild(
  state: UiState,
  child: { readonly toolCallId: string; readonly usage: Usage; readonly costUsd: number | null },
): void {
  state.countedChildren.add(child.toolCallId);
  Object.assign(state, addSpending(state, child));
}

/** A text part written in one piece: a tool's text for the user and not the model (S3 ForUser). */
export function wholeText(id: string, text: string): ChatChunk[] {
  return [
    { type: "text-start", id },
    { type: "text-delta", id, delta: text },
    { type: "text-end", id },
  ];
}

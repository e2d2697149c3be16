import type { UserMessage } from "@/lib/schema/messages/message";
import { latinLength } from "@/lib/schema/messages/token-estimate";
import type { GenerationChanges } from "@/lib/schema/runs/generation";
import type { ModelReply, RunEvent, RunSummary } from "@/lib/schema/runs/run-event";
import type { Todo } from "@/lib/schema/runs/todo";
import { addSpending, NO_SPENDING, type Spending, unknownSpending } from "@/lib/schema/runs/usage";
import type { ToolResult } from "@/lib/schema/tools/tool";

/**
 * One finished model reply according to the event log. `started` holds the calls whose intent was written and that have
 * not been left pending since; those without a result were in flight when their process died.
 */
export interface JournalStep {
  readonly step: number;
  readonly reply: ModelReply;
  readonly started: ReadonlySet<string>;
  /** Calls whose `tool.call` was emitted. */
  readonly announced: ReadonlySet<string>;
  readonly results: ReadonlyMap<string, ToolResult>;
}

interface OpenJournalStep {
  readonly reply: ModelReply;
  readonly started: Set<string>;
  readonly announced: Set<string>;
  readonly results: Map<string, ToolResult>;
}

/** Rebuilds the journal of a run from its stored events, in order of steps. */
export function foldJournal(events: Iterable<RunEvent>): JournalStep[] {
  const steps = new Map<number, OpenJournalStep>();
  for (const event of events) {
    switch (event.type) {
      case "model.completed":
        steps.set(event.step, { reply: event.reply, started: new Set(), announced: new Set(), results: new Map() });
        break;
      case "tool.call":
        steps.get(event.step)?.announced.add(event.call.id);
        // In logs of earlier versions `tool.call` was also the intent; now the two are committed together.
        steps.get(event.step)?.started.add(event.call.id);
        break;
      case "tool.intent":
        for (const id of event.toolCallIds) steps.get(event.step)?.started.add(id);
        break;
      case "tool.pending":
        steps.get(event.step)?.started.delete(event.toolCallId);
        break;
      case "tool.result":
        steps.get(event.step)?.results.set(event.result.toolCallId, event.result);
        break;
    }
  }
  return [...steps].map(([step, entry]) => ({ step, ...entry })).sort((left, right) => left.step - right.step);
}

/** A model call that had started but not finished when the last segment stopped. */
export interface OpenStep {
  readonly step: number;
  /** Some of its output was streamed, so the next segment must void that. */
  readonly streamed: boolean;
  /** The length of that output, or of Latin text that costs as much. */
  readonly streamedChars: number;
}

/** The model call that the events leave unfinished, or null if the last one finished. */
export function findOpenStep(events: Iterable<RunEvent>): OpenStep | null {
  let open: OpenStep | null = null;
  for (const event of events) {
    switch (event.type) {
      case "model.started":
      case "step.reset":
        open = { step: event.step, streamed: false, streamedChars: 0 };
        break;
      case "text.delta":
      case "reasoning.delta":
        open = streamOn(open, event.step, latinLength(event.delta));
        break;
      case "tool.input":
        open = streamOn(open, event.step, latinLength(event.name));
        break;
      case "tool.delta":
        if (open) open = streamOn(open, event.step, latinLength(event.delta));
        break;
      case "model.completed":
        open = null;
        break;
    }
  }
  return open;
}

function streamOn(open: OpenStep | null, step: number, chars: number): OpenStep {
  return { step, streamed: true, streamedChars: (open?.streamedChars ?? 0) + chars };
}

/** The latest todo list in the events, or null if they never wrote one; a later segment starts with it. */
export function latestTodos(events: Iterable<RunEvent>): readonly Todo[] | null {
  let todos: readonly Todo[] | null = null;
  for (const event of events) if (event.type === "todo.updated") todos = event.todos;
  return todos;
}

/** The changes by an earlier segment's `preGeneration` hooks, or null if none has prepared the run. */
function preparedGeneration(events: Iterable<RunEvent>): GenerationChanges | null {
  for (const event of events) if (event.type === "generation.prepared") return event;
  return null;
}

/** The latest summary in the events: a later segment starts with it instead of requesting another. */
export function latestSummary(events: Iterable<RunEvent>): RunSummary | null {
  let summary: RunSummary | null = null;
  for (const event of events) {
    if (event.type === "summary.completed") summary = { count: event.count, lastId: event.lastId, text: event.text };
  }
  return summary;
}

/** Steering messages, by the step that first read them. */
export function foldSteers(events: Iterable<RunEvent>): Map<number, UserMessage[]> {
  const steered = new Map<number, UserMessage[]>();
  for (const event of events) {
    if (event.type !== "steer.read") continue;
    const { messageId: id, content, images } = event;
    const message: UserMessage = { id, role: "user", content, ...(images ? { images } : {}) };
    steered.set(event.step, [...(steered.get(event.step) ?? []), message]);
  }
  return steered;
}

/** The state of a continued run, from the events of earlier segments; empty for a new run. */
export function resumeFrom(events: readonly RunEvent[]) {
  return {
    journal: foldJournal(events),
    openStep: findOpenStep(events),
    steered: foldSteers(events),
    spentBefore: usageOutsideReplies(events),
    generation: preparedGeneration(events),
  };
}

/** Usage of summaries and of calls without a reply: the journal's steps don't include it. */
export function usageOutsideReplies(events: Iterable<RunEvent>): Spending {
  let spent = NO_SPENDING;
  for (const event of events) {
    if (event.type === "summary.completed") spent = addSpending(spent, event);
    if (event.type === "usage.unknown") spent = addSpending(spent, unknownSpending(event.estimate));
  }
  return spent;
}

import { cleanText } from "@/lib/agent/clean-text";
import type { RunOutcome } from "@/lib/agent/hook";
import { foldJournal, type JournalStep, summaryUsage } from "@/lib/agent/journal";
import { costUsd } from "@/lib/models/price";
import type { Message } from "@/lib/schema/message";
import type { RunError } from "@/lib/schema/run";
import type { RunEvent, StoredRunEvent } from "@/lib/schema/run-event";
import { addCost, addUsage, NO_USAGE, subtractUsage, type Usage } from "@/lib/schema/usage";

/** How a run ended, as it is stored: the event that says so, and what the thread keeps of it. */
export interface RunEnding {
  readonly event: Extract<RunEvent, { type: "run.completed" | "run.failed" | "run.cancelled" }>;
  /** The run's messages for the model's history, the user's included. */
  readonly added: readonly Message[];
  readonly usage: Usage;
  readonly steps: number;
}

/** The ending that an outcome of `runAgent` means. `cancelledBy` is who asked, when somebody did. */
export function endingOf(outcome: RunOutcome, cancelledBy: string): RunEnding {
  const { added, usage, steps } = outcome;
  switch (outcome.status) {
    case "completed":
    case "limit": {
      const notice = outcome.notice === undefined ? {} : { notice: outcome.notice };
      const silent = outcome.silent ? { silent: outcome.silent } : {};
      return { event: { type: "run.completed", status: outcome.status, ...notice, ...silent }, added, usage, steps };
    }
    case "cancelled":
      return { event: { type: "run.cancelled", by: cancelledBy }, added, usage, steps };
    default: {
      const error = outcome.error ?? { code: "internal", message: "The run stopped without saying why." };
      return { event: failedEnding("failed", error), added, usage, steps };
    }
  }
}

/** The ending of a run that no process will go on with: its rows are what is known of it. */
export function endingOfJournal(
  runId: string,
  input: readonly Message[],
  stored: readonly StoredRunEvent[],
  event: RunEnding["event"],
): RunEnding {
  const events = stored.map((row) => row.event);
  const journal = foldJournal(events);
  const usage = journal.reduce((sum, { reply }) => addUsage(sum, reply.usage), summaryUsage(events));
  const added = [...input, ...journal.flatMap((step) => stepMessages(runId, step))];
  return { event, added, usage, steps: journal.at(-1)?.step ?? 0 };
}

/** The message may quote a provider: what no database takes is left out of it. */
export function failedEnding(status: "failed" | "interrupted", { code, message }: RunError): RunEnding["event"] {
  return { type: "run.failed", status, error: { code, message: cleanText(message) } };
}

function stepMessages(runId: string, { step, reply, results }: JournalStep): Message[] {
  const { content, toolCalls, reasoning } = reply;
  if (content === "" && toolCalls.length === 0) return [];
  return [
    { id: `${runId}:${step}`, role: "assistant", content, toolCalls, ...(reasoning.length > 0 ? { reasoning } : {}) },
    ...toolCalls.map((call, index): Message => {
      const result = results.get(call.id);
      const error = result ? result.error : "interrupted: outcome unknown, check before repeating";
      return {
        id: `${runId}:${step}.${index + 1}`,
        role: "tool",
        content: error ?? result?.output ?? "",
        toolCallId: call.id,
        name: call.name,
        ...(error === undefined ? {} : { isError: true }),
      };
    }),
  ];
}

/** Facts of a run that its events hold. `costUsd` is null when a price is unknown; times are Unix ms. */
export function measureRun(events: readonly StoredRunEvent[], usage: Usage) {
  const replies = events.flatMap(({ event }) => (event.type === "model.completed" ? [event.reply] : []));
  const startedAt = events.find(({ event }) => event.type === "run.started")?.at;
  const firstAt = events.find(({ event }) => FIRST_SIGNS.includes(event.type))?.at;
  const asked = events.findLast(({ event }) => event.type === "model.started")?.event;
  const model = replies.at(-1)?.model ?? (asked?.type === "model.started" ? asked.model : null);
  const priced = replies.map((reply) => costUsd(reply.model, reply.usage));
  const ofHooks = subtractUsage(
    usage,
    replies.reduce((sum, reply) => addUsage(sum, reply.usage), NO_USAGE),
  );
  if (model !== null && ofHooks.inputTokens + ofHooks.outputTokens > 0) priced.push(costUsd(model, ofHooks));
  return {
    model,
    costUsd: priced.reduce(addCost, 0),
    timeToFirstTokenMs: startedAt === undefined || firstAt === undefined ? null : firstAt - startedAt,
  };
}

/** Types of the events that say that a model has begun to answer. */
export const FIRST_SIGNS: readonly string[] = ["text.delta", "reasoning.delta", "tool.input", "tool.call"];

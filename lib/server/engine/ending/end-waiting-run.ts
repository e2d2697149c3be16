import { openInterrupts } from "@/lib/agent/interrupts";
import { foldJournal } from "@/lib/agent/journal";
import type { RunEvent, StoredRunEvent } from "@/lib/schema/run-event";
import { isLeaseLost } from "@/lib/server/engine/lease-lost";
import { readAllEvents } from "@/lib/server/engine/log/read-events";
import { RunInput } from "@/lib/server/engine/run-input";
import type { Database } from "@/lib/server/platform/db/database";
import { isRaceLost } from "@/lib/server/platform/db/errors";
import { finishRun } from "./finish-run";
import { toHeldRun } from "./held-run";
import { announceInterrupts } from "./pause-run";
import { endingOfJournal } from "./run-ending";

const ATTEMPTS = 5;

/** Why a waiting run ends undecided, and how the model reads it in the results of the open calls. */
export const UNDECIDED = {
  message: {
    decision: "declined",
    text: "declined: the user sent a new message instead of deciding on this call",
  },
  cancelled: {
    decision: "declined",
    text: "cancelled: the run was stopped before the user had decided on this call",
  },
  deletedAgent: {
    decision: "expired",
    text: "expired: nobody decided on this call in time, and the agent was deleted meanwhile",
  },
} as const;
type Undecided = (typeof UNDECIDED)[keyof typeof UNDECIDED];

/**
 * Ends a run that waits: its open calls are declined or expire and get a result that says so, it becomes `cancelled` (D-53, cancel).
 * Returns false when it does not wait any more, because somebody has just decided; then nothing is stored.
 */
export async function endWaitingRun(database: Database, runId: string, by: string, why: Undecided): Promise<boolean> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await tryToEnd(database, runId, by, why);
    } catch (error) {
      if (isLeaseLost(error)) return false;
      if (!isRaceLost(error) || attempt === ATTEMPTS) throw error;
    }
  }
}

async function tryToEnd(database: Database, runId: string, by: string, why: Undecided): Promise<boolean> {
  const row = await database.run.findUnique({ where: { id: runId } });
  if (row?.status !== "waiting") return false;
  const before = await readAllEvents(database, runId);
  const events = [...before, ...declineOpenCalls(before, by, why)];
  const { messages } = RunInput.parse(JSON.parse(row.input));
  const run = { ...toHeldRun(row), status: "waiting" as const };
  const ending = endingOfJournal(runId, messages, events, { type: "run.cancelled", by });
  await finishRun(database, { run, ending, events, newEvents: events.slice(before.length), todos: null });
  announceInterrupts(run, "cancelled");
  return true;
}

function declineOpenCalls(before: readonly StoredRunEvent[], by: string, { decision, text }: Undecided) {
  const known = before.map(({ event }) => event);
  const via = decision === "expired" ? ({ via: "time" } as const) : {};
  const declined = openInterrupts(known).map(
    ({ kind, toolCallId }): RunEvent => ({ type: "interrupt.decided", kind, toolCallId, decision, by, ...via }),
  );
  const last = foldJournal(known).at(-1);
  const unanswered = last?.reply.toolCalls.filter(({ id }) => !last.results.has(id)) ?? [];
  const results = unanswered.map(
    ({ id, name }): RunEvent => ({
      type: "tool.result",
      step: last?.step ?? 0,
      result: { toolCallId: id, name, output: "", error: text, refused: decision },
      durationMs: 0,
    }),
  );
  const runId = before[0]?.runId ?? "";
  const lastSeq = before.at(-1)?.seq ?? 0;
  const at = Date.now();
  return [...declined, ...results].map(
    (event, index): StoredRunEvent => ({ runId, seq: lastSeq + 1 + index, at, event }),
  );
}

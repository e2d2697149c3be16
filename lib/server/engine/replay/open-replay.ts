import type { RunInterrupts } from "@/lib/agent/interrupts";
import type { RunState } from "@/lib/agent/run-context";
import type { AgentConfig } from "@/lib/schema/agents/agent-config";
import { AppError } from "@/lib/schema/app-error";
import type { Message } from "@/lib/schema/messages/message";
import type { AgentVersion } from "@/lib/server/engine/agent-version";
import type { ClaimedRun } from "@/lib/server/engine/claimed-run";
import { withoutUnfinishedReply } from "@/lib/server/engine/continue-run";
import type { EnginePorts, ReplayedRun } from "@/lib/server/engine/ports";
import type { RunInput } from "@/lib/server/engine/run-input";
import { loadModelHistory, type ModelHistory, NO_HISTORY } from "@/lib/server/engine/transcript/load-model-history";
import type { Database } from "@/lib/server/platform/db/database";
import type { ThreadPath } from "@/lib/server/platform/db/queries/paths";

/** The run's parts if it is a replay; null for all others. */
export async function openReplay(
  { buildReplay }: Pick<EnginePorts, "buildReplay">,
  run: ClaimedRun,
  version: AgentVersion,
  { abort }: { readonly abort: AbortController },
): Promise<ReplayedRun | null> {
  if (run.replayId === null) return null;
  if (!buildReplay) throw new AppError("not_available", "This process replays no runs.");
  return buildReplay(run, version, (error) => abort.abort(error));
}

/** Plan and summary that the run continues with. */
export function replayedState({ state }: ReplayedRun, own: RunState, hasPlan: boolean): RunState {
  if (state === null) return own;
  return { todos: hasPlan ? own.todos : state.todos, summary: own.summary ?? state.summary ?? null };
}

/** What people decided in the run, and where that still holds, in the recording. */
export function withRecorded(interrupts: RunInterrupts, replay: ReplayedRun | null): RunInterrupts {
  const recorded = replay?.decisionOf;
  if (!recorded) return interrupts;
  return { ...interrupts, decisionOf: (kind, id) => interrupts.decisionOf(kind, id) ?? recorded(kind, id) };
}

interface HistoryPlace {
  readonly own: ThreadPath;
  readonly input: RunInput;
  readonly replay: ReplayedRun | null;
  readonly placement: AgentConfig["compaction"]["placement"];
}

/** What the model knows of the thread before the run: for a replay, of the replayed run's thread before that run. */
export async function loadEarlier(
  database: Database,
  { own, input, replay, placement }: HistoryPlace,
): Promise<ModelHistory> {
  const { isRetry, noHistory } = replay?.input ?? input;
  if (noHistory) return NO_HISTORY;
  const stored = await loadModelHistory(database, replay?.path ?? own, placement);
  const messages = isRetry ? withoutUnfinishedReply(stored.messages) : stored.messages;
  return { ...stored, messages: replay ? messages.map(asCopy) : messages };
}

/** A trace names a message of the run's own thread by its row; one of another thread is stored with the trace. */
function asCopy(message: Message): Message {
  return { ...message };
}

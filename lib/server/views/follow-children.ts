import { openInterrupts } from "@/lib/agent/interrupts";
import { hasEnded, type RunStatus } from "@/lib/schema/runs/run";
import type { RunEvent, StoredRunEvent } from "@/lib/schema/runs/run-event";
import { cardTokens } from "@/lib/schema/runs/usage";
import { type ChildProgress, foldProgress, lastLineOf, newProgress } from "@/lib/server/engine/children/child-run";
import { readEvents } from "@/lib/server/engine/log/read-events";
import { showSubagent } from "@/lib/server/engine/transcript/project-subagent";
import type { ChatChunk } from "@/lib/server/engine/transcript/ui-projection-state";
import type { Database } from "@/lib/server/platform/db/database";
import { interleave } from "./interleave";
import { runChanges } from "./run-changes";

type Started = Extract<RunEvent, { type: "subagent.started" }>;

interface OpenChild {
  readonly started: Started;
  readonly progress: ChildProgress;
  readonly events: RunEvent[];
  cursor: number;
  shown: string;
}

/** The cards that have changed since they were last shown; `after` is the number of the run's row before them. */
export interface ChildCards {
  readonly cards: readonly ChatChunk[];
  readonly after: number;
}

/**
 * The batches of a run's rows and, while its child runs are running, their current cards in between. These cards are
 * not stored: the log has a child's start and its end.
 */
export async function* withChildren(
  database: Database,
  source: AsyncGenerator<readonly StoredRunEvent[]>,
): AsyncGenerator<{ readonly rows: readonly StoredRunEvent[] } | ChildCards> {
  const open = new Map<string, OpenChild>();
  const changes = runChanges();
  let after = 0;
  try {
    for await (const rows of interleave(source, () => (open.size === 0 ? never() : changes.timeToLook()))) {
      if (rows === null) {
        changes.looked();
        yield { cards: await changedCards(database, open), after };
        changes.watch(open.keys());
        continue;
      }
      for (const { event, seq } of rows) {
        watch(open, event);
        after = seq;
      }
      yield { rows };
      changes.watch(open.keys());
    }
  } finally {
    changes.stop();
  }
}

/** A new promise for each wait: a shared one would keep everything that was ever awaited with it. */
function never(): Promise<never> {
  return new Promise(() => undefined);
}

function watch(open: Map<string, OpenChild>, event: RunEvent): void {
  if (event.type === "subagent.completed") open.delete(event.runId);
  if (event.type !== "subagent.started") return;
  open.set(event.runId, { started: event, progress: newProgress(), events: [], cursor: 0, shown: "" });
}

async function changedCards(database: Database, open: Map<string, OpenChild>): Promise<ChatChunk[]> {
  const runs = await database.run.findMany({
    where: { id: { in: [...open.keys()] } },
    select: { id: true, status: true, costUsd: true, waitingFor: true },
  });
  const cards: ChatChunk[] = [];
  for (const run of runs) {
    const child = open.get(run.id);
    if (!child) continue;
    await readOn(database, run.id, child);
    const card = showSubagent(cardOf(child, run));
    const text = JSON.stringify(card);
    if (text !== child.shown) cards.push(card);
    child.shown = text;
    if (hasEnded(run.status as RunStatus)) open.delete(run.id);
  }
  return cards;
}

async function readOn(database: Database, runId: string, child: OpenChild): Promise<void> {
  const rows = await readEvents(database, runId, child.cursor);
  child.cursor = rows.at(-1)?.seq ?? child.cursor;
  for (const row of rows) {
    foldProgress(child.progress, row);
    if (ASKING.includes(row.event.type)) child.events.push(row.event);
  }
}

const ASKING: readonly string[] = [
  "approval.requested",
  "question.asked",
  "budget.reached",
  "connect.asked",
  "run.started",
  "interrupt.decided",
  "tool.result",
];

interface RunNow {
  readonly status: string;
  readonly costUsd: number | null;
  readonly waitingFor: string | null;
}

function cardOf({ started, progress, events }: OpenChild, { status, costUsd, waitingFor }: RunNow) {
  const { toolCallId, runId, name, description, background, delegate } = started;
  const interrupts = openInterrupts(events);
  const isAtWork = status === "waiting" && waitingFor === "child";
  return {
    toolCallId,
    runId,
    name,
    description,
    background,
    ...(delegate ? { delegate } : {}),
    status: (isAtWork ? "running" : status) as RunStatus,
    lastLine: lastLineOf(progress.text),
    calls: progress.calls.size,
    ...cardTokens(progress.spent.usage),
    // The row only has a cost once the run has paused or ended.
    costUsd: hasEnded(status as RunStatus) ? costUsd : progress.spent.costUsd,
    ...(status === "waiting" && interrupts.length > 0 ? { interrupts } : {}),
  };
}

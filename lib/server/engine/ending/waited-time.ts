import type { StoredRunEvent } from "@/lib/schema/runs/run-event";
import type { Database } from "@/lib/server/platform/db/database";
import { selectWaitsOfTree } from "@/lib/server/platform/db/queries/asks";

/** From the question to the decision; the decision is null while the ask is open. */
interface Waiting {
  readonly askedAtMs: number;
  readonly decidedAtMs: number | null;
}

interface WaitedTime {
  /** The total length of the finished waits; overlapping time counts once. */
  readonly waitedMs: number;
  /** The start of the current wait, ISO 8601; null if the run is not waiting. */
  readonly waitingSince: string | null;
}

/** `waits` are in the order in which they began; `endMs` is the end of the run, null while it has not ended. */
export function waitedTime(waits: readonly Waiting[], endMs: number | null): WaitedTime {
  const untilMs = endMs ?? Number.POSITIVE_INFINITY;
  const open = waits.filter(({ decidedAtMs }) => decidedAtMs === null).map(({ askedAtMs }) => askedAtMs);
  const openMs = endMs === null && open.length > 0 ? Math.min(...open) : null;
  let reached = Number.NEGATIVE_INFINITY;
  let waitedMs = 0;
  for (const { askedAtMs, decidedAtMs } of waits) {
    const end = Math.min(decidedAtMs ?? untilMs, untilMs, openMs ?? untilMs);
    const start = Math.max(askedAtMs, reached);
    if (end <= start) continue;
    waitedMs += end - start;
    reached = end;
  }
  return { waitedMs, waitingSince: openMs === null ? null : new Date(openMs).toISOString() };
}

const MAY_WAIT: ReadonlySet<string> = new Set(["run.waiting", "subagent.started"]);

/**
 * How long a run that ends at `endMs` waited for people, including its subagents' waits. Costs no query if it never
 * waited.
 */
export async function waitedUntil(
  database: Database,
  { runId, stored, endMs }: { runId: string; stored: readonly StoredRunEvent[]; endMs: number },
): Promise<number> {
  if (!stored.some(({ event }) => MAY_WAIT.has(event.type))) return 0;
  return waitedTime(await selectWaitsOfTree(database, runId), endMs).waitedMs;
}

import type { StoredRunEvent } from "@/lib/schema/runs/run-event";
import type { Database } from "@/lib/server/platform/db/database";
import { selectWaitsOfTree } from "@/lib/server/platform/db/queries/asks";

/** From the question to the decision, which is null while it is open. */
interface Waiting {
  readonly askedAtMs: number;
  readonly decidedAtMs: number | null;
}

interface WaitedTime {
  /** The length of the finished waits; time that several of them share counts once. */
  readonly waitedMs: number;
  /** The start of the current wait, ISO 8601; null while the run does not wait. */
  readonly waitingSince: string | null;
}

/** `waits` in the order in which they began; `endMs` is the end of the run, null while it has not ended. */
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

/** How long a run that ends at `endMs` waited for people, its subagents included. Costs no query where it never waited. */
export async function waitedUntil(
  database: Database,
  { runId, stored, endMs }: { runId: string; stored: readonly StoredRunEvent[]; endMs: number },
): Promise<number> {
  if (!stored.some(({ event }) => MAY_WAIT.has(event.type))) return 0;
  return waitedTime(await selectWaitsOfTree(database, runId), endMs).waitedMs;
}

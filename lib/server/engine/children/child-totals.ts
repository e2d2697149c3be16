import { RunStatus } from "@/lib/schema/runs/run";
import type { RunEvent, StoredRunEvent } from "@/lib/schema/runs/run-event";
import { addCost, addUsage, NO_USAGE, type Usage } from "@/lib/schema/runs/usage";
import type { Database } from "@/lib/server/platform/db/database";
import { describeChild } from "./child-run";

type Completed = Extract<RunEvent, { type: "subagent.completed" }>;

/** What a run's ended child runs add to its totals; each child is counted once (`isReported`). */
export interface ChildTotals {
  readonly ids: readonly string[];
  readonly usage: Usage;
  readonly costUsd: number | null;
  /** Ends of background runs that are not yet in the parent's log. */
  readonly completed: readonly Completed[];
}

const NO_CHILDREN: ChildTotals = { ids: [], usage: NO_USAGE, costUsd: 0, completed: [] };

/** The ended children not counted yet. `events` are the parent's rows, which contain the children's tasks. */
export async function uncountedChildren(
  database: Database,
  runId: string,
  events: readonly StoredRunEvent[],
): Promise<ChildTotals> {
  const started = events.flatMap(({ event }) => (event.type === "subagent.started" ? [event] : []));
  if (started.length === 0) return NO_CHILDREN;
  const rows = await database.run.findMany({
    where: { parentRunId: runId, isReported: false, endedAt: { not: null } },
    orderBy: [{ createdAt: "asc" }, { id: "asc" }],
  });
  const children = await Promise.all(rows.map((row) => describeChild(database, row)));
  return {
    ids: children.map((child) => child.runId),
    usage: children.reduce((sum, child) => addUsage(sum, child.usage), NO_USAGE),
    costUsd: children.reduce<number | null>((sum, { costUsd }) => addCost(sum, costUsd), 0),
    completed: children.flatMap((child): Completed[] => {
      const facts = started.find((event) => event.runId === child.runId && event.background);
      if (!facts) return [];
      const { status, lastLine, calls, durationMs, usage, costUsd } = child;
      const took = durationMs === null ? {} : { durationMs };
      const end = { status: RunStatus.parse(status), lastLine, calls, ...took, usage, costUsd };
      return [{ ...facts, type: "subagent.completed", ...end }];
    }),
  };
}

/** The columns that add a child's usage to a row that holds a total. */
export function incrementBy(usage: Usage, costUsd: number | null) {
  const { inputTokens, cachedReadTokens, cachedWriteTokens, outputTokens, reasoningTokens } = usage;
  return {
    inputTokens: { increment: inputTokens },
    cachedReadTokens: { increment: cachedReadTokens },
    cachedWriteTokens: { increment: cachedWriteTokens },
    outputTokens: { increment: outputTokens },
    reasoningTokens: { increment: reasoningTokens },
    ...(usage.isUsagePartial ? { isUsagePartial: true } : {}),
    ...(usage.isUsageEstimated ? { isUsageEstimated: true } : {}),
    costUsd: costUsd === null ? null : { increment: costUsd },
  };
}

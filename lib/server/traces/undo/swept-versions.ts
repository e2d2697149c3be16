import "server-only";
import { AppError } from "@/lib/schema/app-error";
import type { ClaimedRun } from "@/lib/server/engine/claimed-run";
import type { Database } from "@/lib/server/platform/db/database";
import { selectAfterGaps } from "@/lib/server/platform/db/queries/workspaces/after-gaps";
import { selectLastChanges } from "@/lib/server/platform/db/queries/workspaces/last-changes";
import { maskText } from "@/lib/server/platform/masking";
import type { RunToUndo } from "./who-may-undo";

const MOST_NAMED = 3;

/** The workspaces whose files the viewer would undo; null for all of them. */
export type UndoReach = ReadonlySet<string> | null;

/** The workspace's changes from the beginning to the end of the tree: after `from`, up to `to` (`FileVersion.seq`). */
interface Period {
  readonly workspaceId: string;
  readonly from: number;
  readonly to: number;
  /** False where the first step of a run was not stored: what it changed may be from before `from`. */
  readonly hasBeginning: boolean;
}

/**
 * Throws `conflict` if versions that were made while the tree ran have been cleaned up: whether they were its own, and
 * so what it found, is not known any more. What remains would pass its own earlier text for that of before the run.
 * Where the first steps were not recorded, as without a trace, any gap before the tree's own versions counts as one.
 */
export async function requireVersionsKept(
  database: Database,
  { tree, isOwn }: Pick<RunToUndo, "tree" | "isOwn">,
  reach: UndoReach,
): Promise<void> {
  const [periods, torn] = await Promise.all([periodsOf(database, tree), selectAfterGaps(database, idsOf(tree))]);
  const inReach = ({ workspaceId }: { readonly workspaceId: string }) => reach === null || reach.has(workspaceId);
  const reached = periods.filter(inReach);
  const recorded = new Set(reached.flatMap((period) => (period.hasBeginning ? period.workspaceId : [])));
  const suspect = torn.filter(inReach);
  const isWhole = suspect.every(({ workspaceId }) => recorded.has(workspaceId)) && (await areKept(database, reached));
  if (isWhole) return;
  const names = isOwn ? suspect.slice(0, MOST_NAMED).map(({ path }) => maskText(path)) : [];
  const such = names.length === 0 ? "" : ` (${names.join(", ")})`;
  throw new AppError(
    "conflict",
    `Versions of files that changed during this run${such} were cleaned up, so nothing can be undone.`,
  );
}

async function areKept(database: Database, periods: readonly Period[]): Promise<boolean> {
  for (const { workspaceId, from, to } of periods) {
    const kept = await database.fileVersion.count({ where: { workspaceId, seq: { gt: from, lte: to } } });
    if (kept < to - from) return false;
  }
  return true;
}

/** None of a run whose steps were not recorded, or whose trace is gone. */
async function periodsOf(database: Database, tree: readonly ClaimedRun[]): Promise<Period[]> {
  const [steps, changes] = await Promise.all([
    database.runStep.findMany({
      where: { runId: { in: idsOf(tree) } },
      select: { runId: true, step: true, workspaceId: true, readSeq: true, promptHash: true },
    }),
    selectLastChanges(database, idsOf(tree)),
  ]);
  const periods: Promise<Period>[] = [];
  for (const [workspaceId, rows] of Map.groupBy(steps, (step) => step.workspaceId)) {
    const read = rows.flatMap(({ readSeq }) => readSeq ?? []);
    if (workspaceId === null || read.length === 0) continue;
    const own = changes.filter((change) => change.workspaceId === workspaceId);
    const runs = new Set([...rows, ...own].map(({ runId }) => runId));
    const haveOne = (of: readonly { readonly runId: string }[]) =>
      [...runs].every((id) => of.some(({ runId }) => runId === id));
    const period = {
      workspaceId,
      from: Math.min(...read),
      to: Math.max(...read, ...own.map(({ seq }) => seq)),
      hasBeginning: haveOne(rows.filter(({ step }) => step === 1)),
    };
    // Only the end of a run has no prompt.
    const hasEnd = haveOne(rows.filter(({ promptHash }) => promptHash === null));
    periods.push(hasEnd ? Promise.resolve(period) : upToNext(database, period));
  }
  return Promise.all(periods);
}

/**
 * A run that was ended from outside has no row of its end: its last change that is left counts, and whatever is gone
 * right behind that, which may have been its own.
 */
async function upToNext(database: Database, period: Period): Promise<Period> {
  const { workspaceId, to } = period;
  const next = await database.fileVersion.findFirst({
    where: { workspaceId, seq: { gt: to } },
    orderBy: { seq: "asc" },
    select: { seq: true },
  });
  return { ...period, to: (next?.seq ?? to + 1) - 1 };
}

function idsOf(tree: readonly ClaimedRun[]): string[] {
  return tree.map(({ id }) => id);
}

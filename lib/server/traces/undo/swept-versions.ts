import "server-only";
import { AppError } from "@/lib/schema/app-error";
import type { ClaimedRun } from "@/lib/server/engine/claimed-run";
import type { Database } from "@/lib/server/platform/db/database";
import { maskText } from "@/lib/server/platform/masking";
import type { RunToUndo } from "./who-may-undo";

const MOST_NAMED = 3;
/** Files of a run whose earlier versions are looked for. */
const MOST_READ = 1_000;

/** The workspaces whose files the viewer would undo; null for all of them. */
export type UndoReach = ReadonlySet<string> | null;

/** The workspace's changes from the beginning to the end of the tree: after `from`, up to `to` (`FileVersion.seq`). */
interface Period {
  readonly workspaceId: string;
  readonly from: number;
  readonly to: number;
}

interface Change {
  readonly workspaceId: string;
  readonly path: string;
  readonly version: number;
}

/**
 * Throws `conflict` if versions that were made while the tree ran have been cleaned up: whether they were its own, and
 * so what it found, is not known any more. What remains would pass its own earlier text for that of before the run.
 * Where no steps were recorded, as without a trace, any gap before the tree's own versions counts as one.
 */
export async function requireVersionsKept(
  database: Database,
  { tree, isOwn }: Pick<RunToUndo, "tree" | "isOwn">,
  reach: UndoReach,
): Promise<void> {
  const [periods, torn] = await Promise.all([periodsOf(database, tree), afterGaps(database, tree)]);
  const inReach = ({ workspaceId }: { readonly workspaceId: string }) => reach === null || reach.has(workspaceId);
  const reached = periods.filter(inReach);
  const recorded = new Set(reached.map(({ workspaceId }) => workspaceId));
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
  const steps = await database.runStep.findMany({
    where: { runId: { in: tree.map(({ id }) => id) } },
    select: { workspaceId: true, readSeq: true },
  });
  const read = new Map<string, { from: number; to: number }>();
  for (const { workspaceId, readSeq } of steps) {
    if (workspaceId === null || readSeq === null) continue;
    const { from, to } = read.get(workspaceId) ?? { from: readSeq, to: readSeq };
    read.set(workspaceId, { from: Math.min(from, readSeq), to: Math.max(to, readSeq) });
  }
  return [...read].map(([workspaceId, period]) => ({ workspaceId, ...period }));
}

/** The tree's first version of each of its files, where the one before it is gone. */
async function afterGaps(database: Database, tree: readonly ClaimedRun[]): Promise<Change[]> {
  const select = { workspaceId: true, path: true, version: true } as const;
  const own = await database.fileVersion.findMany({
    where: { runId: { in: tree.map(({ id }) => id) }, toolCallId: { not: null }, version: { gt: 1 } },
    orderBy: [{ workspaceId: "asc" }, { path: "asc" }, { version: "asc" }],
    distinct: ["workspaceId", "path"],
    take: MOST_READ,
    select,
  });
  const places = { workspaceId: { in: own.map((row) => row.workspaceId) }, path: { in: own.map((row) => row.path) } };
  const known = await database.fileVersion.findMany({ where: places, select });
  const keys = new Set(known.map(keyOf));
  return own.filter(({ version, ...place }) => !keys.has(keyOf({ ...place, version: version - 1 })));
}

function keyOf({ workspaceId, path, version }: Change): string {
  return `${workspaceId} ${version} ${path}`;
}

import "server-only";
import { AppError } from "@/lib/schema/app-error";
import type { ClaimedRun } from "@/lib/server/engine/claimed-run";
import type { Database } from "@/lib/server/platform/db/database";
import { maskText } from "@/lib/server/platform/masking";

const MOST_NAMED = 3;
/** Changes in which a name is looked for; the others are counted. */
const MOST_READ = 1_000;

/** The workspace's changes from the beginning to the end of the tree: after `from`, up to `to` (`FileVersion.seq`). */
interface Period {
  readonly workspaceId: string;
  readonly from: number;
  readonly to: number;
}

/**
 * Throws `conflict` if versions that were made while the tree ran have been cleaned up: whether they were its own, and
 * so what it found, is not known any more. What remains would pass its own earlier text for that of before the run.
 */
export async function requireVersionsKept(database: Database, tree: readonly ClaimedRun[]): Promise<void> {
  for (const period of await periodsOf(database, tree)) {
    const { workspaceId, from, to } = period;
    const kept = await database.fileVersion.count({ where: { workspaceId, seq: { gt: from, lte: to } } });
    if (kept >= to - from) continue;
    const names = await namesOfSwept(database, period);
    const what = names.length === 0 ? "Versions of files" : `${names.join(", ")}: versions`;
    throw new AppError("conflict", `${what} from during this run were cleaned up, so nothing can be undone.`);
  }
}

/** Nothing of runs from before steps were recorded. */
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

/** Some paths whose first version since the tree began has none before it. */
async function namesOfSwept(database: Database, { workspaceId, from }: Period): Promise<string[]> {
  const later = await database.fileVersion.findMany({
    where: { workspaceId, seq: { gt: from } },
    orderBy: [{ path: "asc" }, { version: "asc" }],
    select: { path: true, version: true },
    take: MOST_READ,
  });
  const firsts = [...Map.groupBy(later, ({ path }) => path).values()].flatMap(([first]) => first ?? []);
  const names: string[] = [];
  for (const { path, version } of firsts) {
    if (names.length === MOST_NAMED || version === 1) continue;
    const where = { workspaceId, path, version: version - 1 };
    if ((await database.fileVersion.count({ where })) === 0) names.push(maskText(path));
  }
  return names;
}

import type { ReadPassage, ReadRun, ReadTrace } from "@/lib/schema/traces/read-trace";

/** A line or block of the text as it is drawn; a subagent's run has a line of its own, with its passages below it. */
export type ReadRow =
  | { readonly key: string; readonly depth: number; readonly isOpen: boolean; readonly passage: ReadPassage }
  | { readonly key: string; readonly depth: number; readonly isOpen: boolean; readonly run: ReadRun };

/** The key of a subagent's line. */
function runKey(runId: string): string {
  return `run ${runId}`;
}

/** The rows in reading order; the passages of a folded subagent are left out. */
export function readRows(trace: ReadTrace, open: ReadonlySet<string>): ReadRow[] {
  const runs = new Map(trace.runs.map((run) => [run.runId, run]));
  const rows: ReadRow[] = [];
  const add = (run: ReadRun, depth: number) => {
    for (const passage of run.passages) {
      rows.push({ key: passage.id, depth, isOpen: open.has(passage.id), passage });
      if (passage.kind !== "call") continue;
      for (const child of passage.childRunIds.flatMap((id) => runs.get(id) ?? [])) {
        const key = runKey(child.runId);
        const isOpen = open.has(key);
        rows.push({ key, depth: depth + 1, isOpen, run: child });
        if (isOpen) add(child, depth + 1);
      }
    }
  };
  const root = rootOf(trace);
  if (root) add(root, 0);
  return rows;
}

/** The trace's own run. */
export function rootOf({ runs, runId }: ReadTrace): ReadRun | undefined {
  return runs.find((run) => run.runId === runId) ?? runs[0];
}

/** The lines of subagents that have to be open so that the passage is drawn; from the outermost in. */
export function foldsAbove(trace: ReadTrace, passageId: string): string[] {
  const parents = new Map<string, ReadRun>();
  for (const run of trace.runs) {
    for (const passage of run.passages) {
      if (passage.kind === "call") for (const id of passage.childRunIds) parents.set(id, run);
    }
  }
  const folds: string[] = [];
  let run = trace.runs.find(({ passages }) => passages.some(({ id }) => id === passageId));
  while (run && parents.has(run.runId)) {
    folds.unshift(runKey(run.runId));
    run = parents.get(run.runId);
  }
  return folds;
}

/** Passages that fold: their text is drawn once they are open. */
export function isFoldable({ kind }: ReadPassage): boolean {
  return kind === "call" || kind === "thought";
}

/** Every fold there is. */
export function allFolds(trace: ReadTrace): Set<string> {
  const folds = new Set<string>();
  for (const { runId, passages } of trace.runs) {
    if (runId !== trace.runId) folds.add(runKey(runId));
    for (const passage of passages) if (isFoldable(passage)) folds.add(passage.id);
  }
  return folds;
}

import "server-only";
import { readInputOrNone } from "@/lib/server/engine/run-input";
import type { Database } from "@/lib/server/platform/db/database";
import { selectTranscriptRuns } from "@/lib/server/platform/db/queries/messages";
import { selectThreadEnd, selectTree } from "@/lib/server/platform/db/queries/paths";
import { type BranchPlace, BranchTree } from "./branch-tree";

/** What a page needs to know about a thread with branches. */
export interface BranchSummary {
  readonly ofMessage: (messageId: string) => BranchPlace;
  /** Whether the run is on the branch that is shown. */
  readonly isShown: (runId: string) => boolean;
}

export async function loadBranchTree(database: Database, threadId: string): Promise<BranchTree> {
  const [runs, messages, open] = await Promise.all([
    selectTree(database, threadId),
    selectTranscriptRuns(database, threadId),
    database.run.findMany({
      where: { threadId, parentRunId: null, endedAt: null, heldAt: null },
      select: { id: true, input: true },
    }),
  ]);
  const known = new Set(messages.map(({ id }) => id));
  // Queued messages get their place in the transcript only when their run begins.
  const queued = open.flatMap(({ id: runId, input }) =>
    readInputOrNone(input).messages.flatMap(({ id, role }) =>
      role !== "user" || id === undefined || known.has(id) ? [] : [{ id, runId, role }],
    ),
  );
  return new BranchTree(runs, [...messages, ...queued]);
}

export async function loadBranchSummary(database: Database, threadId: string): Promise<BranchSummary> {
  const [tree, { leafRunId }] = await Promise.all([
    loadBranchTree(database, threadId),
    selectThreadEnd(database, threadId),
  ]);
  const shown = new Set(tree.pathTo(leafRunId).map(({ id }) => id));
  return {
    ofMessage: (messageId) => tree.place(messageId),
    isShown: (runId) => shown.has(runId),
  };
}

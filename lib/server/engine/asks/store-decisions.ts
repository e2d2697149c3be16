import type { StoredRunEvent } from "@/lib/schema/run-event";
import { wakeParents } from "@/lib/server/engine/children/wake-parents";
import type { ClaimedRun } from "@/lib/server/engine/claimed-run";
import { announceQueued, announceRows, announceRunWithAsks } from "@/lib/server/engine/log/signals";
import type { Database } from "@/lib/server/platform/db/database";
import { type ApprovalRow, toInterrupt } from "./approval-row";
import type { Decider } from "./decide";
import { decisionEvents, type TakenDecision } from "./decision-events";
import { type DecidedRun, decisionStatements } from "./decision-statements";
import { grantTerms } from "./grants";

interface Decisions {
  readonly runs: readonly ClaimedRun[];
  /** Every row of these runs. */
  readonly rows: readonly ApprovalRow[];
  readonly taken: readonly TakenDecision[];
  /** Null when nobody decided in time. */
  readonly decider: Decider | null;
}

/**
 * Stores decisions on calls of one or several runs in one transaction and queues what can continue; returns the
 * status of each run that was decided on. Throws the database's error when somebody else was faster; then nothing is
 * stored.
 */
export async function storeDecisions(
  database: Database,
  { runs, rows, taken, decider }: Decisions,
): Promise<("queued" | "waiting")[]> {
  const decided: DecidedRun[] = [];
  for (const run of runs) {
    const ofRun = taken.filter(({ asked }) => asked.runId === run.id);
    if (ofRun.length > 0) decided.push(await describe(database, run, { rows, taken: ofRun, decider }));
  }
  const all = decided.map((one) => decisionStatements(database, one));
  await database.$transaction(all.flatMap(({ statements }) => statements));
  for (const [index, { run, stored }] of decided.entries()) {
    announceRows(run.id, stored);
    announceRunWithAsks(run, all[index]?.status ?? "waiting");
  }
  if (all.some(({ status }) => status === "queued")) announceQueued();
  if (all.some(({ status }) => status === "waiting")) await wakeParents(database);
  return all.map(({ status }) => status);
}

async function describe(
  database: Database,
  run: ClaimedRun,
  { rows, taken, decider }: Omit<Decisions, "runs">,
): Promise<DecidedRun> {
  const open = rows
    .filter((row) => row.runId === run.id && row.status === "pending")
    .filter(({ id }) => !taken.some(({ asked }) => asked.id === id))
    .map(toInterrupt);
  const last = await database.runEvent.findFirst({
    where: { runId: run.id },
    orderBy: { seq: "desc" },
    select: { seq: true },
  });
  const now = new Date();
  const stored = decisionEvents(taken, open, decider).map(
    (event, index): StoredRunEvent => ({
      runId: run.id,
      seq: (last?.seq ?? 0) + 1 + index,
      at: now.getTime(),
      event,
    }),
  );
  const isGranting = taken.some(({ decision }) => decision.scope === "thread");
  return { run, taken, open, stored, now, decider, terms: isGranting ? await grantTerms(database, run) : null };
}

import "server-only";
import { AppError } from "@/lib/schema/app-error";
import { hasEnded, RunStatus } from "@/lib/schema/runs/run";
import type { ComparedStep } from "@/lib/schema/traces/compare-runs";
import type { ReadRun, ReadTrace } from "@/lib/schema/traces/read-trace";
import type { Replay, ReplayRun } from "@/lib/schema/traces/replay";
import { ReplayTools } from "@/lib/schema/traces/replay-tools";
import type { Trace } from "@/lib/schema/traces/trace";
import { hasAdminScope, type Viewer } from "@/lib/schema/users/user";
import { cancelRun } from "@/lib/server/engine/ending/cancel";
import type { Database } from "@/lib/server/platform/db/database";
import { maskText } from "@/lib/server/platform/masking";
import type { Services } from "@/lib/server/platform/services";
import { compareSteps } from "@/lib/server/traces/compare/compare-steps";
import { readWhole } from "@/lib/server/traces/read/read-trace";
import { visibleTo } from "@/lib/server/traces/trace-access";
import { userNames } from "@/lib/server/users/user-names";
import { changeLabels } from "./change-labels";
import { requireReplay, type StoredReplay, toReplay } from "./replay-row";
import { type ComparedReplay, madeSameCalls, replayRows, totalOf } from "./replay-rows";

/**
 * What came of a replay, beside its recording and its control. Whoever started it, and administrators, as long as they
 * may see the recording; audited like a trace. Throws `not_found`.
 */
export async function getReplay(services: Services, viewer: Viewer, id: string): Promise<Replay> {
  const { database } = services;
  const replay = await requireOwnReplay(database, viewer, id);
  const { trace, read } = await readWhole(services, viewer, replay.runId);
  const recorded = { trace, run: rootOf(read), fromStep: firstStepOf(replay) };
  const own = await loadRuns(services, viewer, replay, recorded);
  const controlRow = replay.isUnchanged ? null : await findControl(database, replay);
  const control = controlRow && (await loadRuns(services, viewer, controlRow, recorded));
  const [unchanged, changed] = replay.isUnchanged ? [own, NOTHING] : [control ?? NOTHING, own];
  const steps = from(compareSteps(withoutSummaries(recorded.run), withoutSummaries(EMPTY_RUN)), recorded.fromStep);
  const names = await userNames(database, [replay.ownerId]);
  const figures = (read: (run: ReplayRun) => number | null) => ({
    unchanged: unchanged.runs.map(read),
    changed: changed.runs.map(read),
  });
  return {
    id,
    runId: replay.runId,
    traceId: trace.id,
    title: trace.title,
    agentName: trace.agentName,
    agentVersion: trace.agentVersion,
    ownerName: names.get(replay.ownerId) ?? "Somebody",
    createdAt: replay.createdAt.toISOString(),
    fromStep: replay.fromStep,
    steps: recorded.run.steps,
    isUnchanged: replay.isUnchanged,
    changes: changeLabels(replay.changes, replay.tools),
    runs: [...own.runs],
    same: sameOf(own.runs),
    control: control && controlRow ? { id: controlRow.id, runs: [...control.runs], same: sameOf(control.runs) } : null,
    rows: replayRows({ steps, hasAnswer: answerOf(recorded.run) !== null }, unchanged.compared, changed.compared),
    totals: [
      totalOf({ what: "cost", recorded: sumOf(steps, ({ costUsd }) => costUsd), ...figures(({ costUsd }) => costUsd) }),
      totalOf({
        what: "worked",
        recorded: sumOf(steps, ({ workedMs }) => workedMs),
        ...figures(({ workedMs }) => workedMs),
      }),
    ],
  };
}

/** A call with other arguments runs again in the step before the first one that asks the model. */
function firstStepOf({ fromStep, changes: { args = {} } }: StoredReplay): number {
  return Object.keys(args).length === 0 ? fromStep : Math.max(1, fromStep - 1);
}

/** Stops the runs of a replay that have not ended; the others stay. Throws `not_found`. */
export async function cancelReplay(database: Database, viewer: Viewer, id: string): Promise<void> {
  const replay = await requireOwnReplay(database, viewer, id);
  const open = await database.run.findMany({
    where: { replayId: replay.id, parentRunId: null, endedAt: null },
    select: { id: true },
  });
  for (const run of open) await cancelRun(database, run.id, viewer.id);
}

async function requireOwnReplay(database: Database, viewer: Viewer, id: string): Promise<StoredReplay> {
  const replay = await requireReplay(database, id);
  const isOwn = replay.ownerId === viewer.id || hasAdminScope(viewer);
  const where = { AND: [visibleTo(viewer), { runId: replay.runId }] };
  if (isOwn && (await database.trace.findFirst({ where, select: { id: true } }))) return replay;
  throw new AppError("not_found", "There is no such replay.");
}

const MOST_CONTROLS = 50;

/**
 * The newest unchanged replay of the same run, by the same person, that ran all steps which this one runs: one whose
 * tools were answered in the same way, else one that followed the recording.
 */
async function findControl(
  db: Database,
  { runId, ownerId, fromStep, tools }: StoredReplay,
): Promise<StoredReplay | null> {
  const rows = await db.replay.findMany({
    where: { runId, ownerId, changes: null, fromStep: { lte: fromStep } },
    orderBy: [{ createdAt: "desc" }, { id: "desc" }],
    take: MOST_CONTROLS,
  });
  const known = rows.map(toReplay);
  const waysOf = ({ default: usual, on_miss: onMiss, per }: ReplayTools) => JSON.stringify([usual, onMiss, per]);
  const alike = known.find((row) => waysOf(row.tools) === waysOf(tools));
  return alike ?? known.find((row) => waysOf(row.tools) === waysOf(AS_RECORDED)) ?? null;
}

const AS_RECORDED = ReplayTools.parse({});

interface Recorded {
  readonly trace: Trace;
  readonly run: ReadRun;
  readonly fromStep: number;
}

interface LoadedRuns {
  readonly runs: readonly ReplayRun[];
  /** Null for a run that has not ended, or left nothing to compare. */
  readonly compared: readonly (ComparedReplay | null)[];
}

const NOTHING: LoadedRuns = { runs: [], compared: [] };
const EMPTY_RUN: ReadRun = { runId: "", name: "", steps: 0, hasMessages: true, passages: [] };

async function loadRuns(
  services: Services,
  viewer: Viewer,
  { id }: StoredReplay,
  recorded: Recorded,
): Promise<LoadedRuns> {
  const rows = await services.database.run.findMany({
    where: { replayId: id, parentRunId: null },
    orderBy: [{ createdAt: "asc" }, { id: "asc" }],
    select: { id: true, status: true, errorMessage: true },
  });
  const loaded = await Promise.all(rows.map((row) => loadRun(services, viewer, row, recorded)));
  return { runs: loaded.map(({ run }) => run), compared: loaded.map(({ compared }) => compared) };
}

interface RunRow {
  readonly id: string;
  readonly status: string;
  readonly errorMessage: string | null;
}

async function loadRun(services: Services, viewer: Viewer, row: RunRow, { run: recorded, fromStep }: Recorded) {
  const status = RunStatus.parse(row.status);
  const error = row.errorMessage === null ? null : maskText(row.errorMessage);
  const open = { runId: row.id, status, error, firstDifference: null, sameCalls: null };
  // A run that was stopped says nothing about what it would have done.
  if (!hasEnded(status) || status === "cancelled" || status === "interrupted") {
    return { run: { ...open, traceId: null, costUsd: null, workedMs: null }, compared: null };
  }
  const { trace, read } = await readWhole(services, viewer, row.id);
  const own = rootOf(read);
  const steps = from(compareSteps(withoutSummaries(recorded), withoutSummaries(own)), fromStep);
  const answer = answerOf(own);
  const compared: ComparedReplay = {
    steps,
    hasAnswer: answer !== null,
    sameAnswer: answer === answerOf(recorded),
    failedAt: status === "failed" ? own.steps : null,
  };
  const first = steps.find(({ same }) => !same);
  const run: ReplayRun = {
    ...open,
    traceId: trace.id,
    firstDifference: first ? { step: first.step } : null,
    sameCalls: madeSameCalls(compared),
    costUsd: trace.costUsd,
    workedMs: trace.durationMs === null ? null : Math.max(0, trace.durationMs - trace.waitedMs),
  };
  return { run, compared };
}

function rootOf({ runs, runId }: ReadTrace): ReadRun {
  return runs.find((run) => run.runId === runId) ?? EMPTY_RUN;
}

/** The text after its last call; null if there is none. */
function answerOf({ passages }: ReadRun): string | null {
  const last = passages.findLast(({ kind }) => kind === "answer" || kind === "call");
  return last?.kind === "answer" ? last.text.text : null;
}

const NO_SUMMARY = { tokens: null, promptHash: null, toolsHash: null };

function withoutSummaries(run: ReadRun) {
  return { run, factsOf: () => NO_SUMMARY };
}

function from(steps: readonly ComparedStep[], first: number): ComparedStep[] {
  return steps.filter(({ step }) => step >= first);
}

/** Of the recording; null if it is not known of one step. */
function sumOf(
  steps: readonly ComparedStep[],
  read: (step: NonNullable<ComparedStep["a"]>) => number | null,
): number | null {
  const values = steps.map(({ a }) => (a ? read(a) : null));
  return values.includes(null) ? null : values.reduce<number>((sum, value) => sum + (value ?? 0), 0);
}

function sameOf(runs: readonly ReplayRun[]): Replay["same"] {
  return { runs: runs.filter(({ sameCalls }) => sameCalls === true).length, of: runs.length };
}

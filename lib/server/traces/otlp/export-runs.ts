import type { Traceparent } from "@/lib/schema/apis/traceparent";
import type { Span } from "@/lib/schema/traces/span";
import { readInputOrNone } from "@/lib/server/engine/run-input";
import type { Database } from "@/lib/server/platform/db/database";
import { isAway, isBusy } from "@/lib/server/platform/db/errors";
import {
  claimExports,
  deleteExports,
  giveExportsBack,
  hasDueExport,
  postponeExports,
  type TraceExport,
} from "@/lib/server/platform/db/queries/outbox/trace-exports";
import { selectSpansOfRun } from "@/lib/server/platform/db/queries/spans";
import { logger } from "@/lib/server/platform/logger";
import { type Services, serviceState } from "@/lib/server/platform/services";
import { count } from "@/lib/server/platform/telemetry/counters";
import type { OtlpSettings } from "@/lib/server/platform/telemetry/otlp-settings";
import { loadRunMessages } from "@/lib/server/traces/load-run-messages";
import { toSpan } from "@/lib/server/traces/to-span";
import { runContent } from "./content";
import { type SendOutcome, sendSpans } from "./send-spans";
import { type ExportedRun, type OtlpSpan, toOtlpSpan } from "./to-otlp-span";

const RUNS_AT_ONCE = 50;
const MAX_SPANS_PER_REQUEST = 512;
/** Of the attributes' text: collectors take 20 MB, some of them 4. */
const MAX_CHARS_PER_REQUEST = 2_000_000;
/** How long one process works at it before others, and its other chores, have their turn. */
const LONGEST_MS = 30_000;
/** Longer than a batch takes; a process that dies leaves its runs to others after that. */
const CLAIM_MS = 120_000;
/** Work that follows a run, such as a compaction, has spans too. */
const OPEN_SPANS_WAIT_MS = 5_000;
const OPEN_SPANS_LONGEST_MS = 300_000;
/** What a collector has not taken by then is dropped. */
const KEPT_MS = 7 * 86_400_000;
const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 300_000;

/** The collector as this process knows it. */
interface Collector {
  /** Consecutive requests that were not taken. */
  failures: number;
  pausedUntilMs: number;
}

const collectorOf = serviceState("otlp-collector", (): Collector => ({ failures: 0, pausedUntilMs: 0 }));

/** Whether there is something to send and the collector may be asked. */
export async function isExportDue(services: Services, now: Date): Promise<boolean> {
  return collectorOf(services).pausedUntilMs <= now.getTime() && (await hasDueExport(services.database, now));
}

/**
 * Sends the spans of ended runs to the collector, oldest first, until none is due, the collector does not take them, or
 * half a minute is over. A run leaves the outbox once the collector has accepted or refused it, so that a process that
 * dies loses none; what it had sent may be sent again, under the same ids.
 */
export async function exportRuns(services: Services, settings: OtlpSettings, now = () => new Date()): Promise<void> {
  const { database: db } = services;
  const target = { services, settings, now };
  const endMs = performance.now() + LONGEST_MS;
  while (performance.now() < endMs) {
    const at = now();
    if (!(await isExportDue(services, at))) return;
    const until = new Date(at.getTime() + CLAIM_MS);
    const claimed = await claimExports(db, { now: at, until, limit: RUNS_AT_ONCE });
    const over = claimed.filter(({ endedAt }) => at.getTime() - endedAt.getTime() > KEPT_MS);
    if (over.length > 0) await drop(db, over, "the collector has not taken them in time");
    const young = claimed.filter((run) => !over.includes(run));
    await exportBatch(target, young, at);
  }
}

interface LoadedRun {
  readonly runId: string;
  readonly spans: readonly OtlpSpan[];
}

interface Target {
  readonly services: Services;
  readonly settings: OtlpSettings;
  readonly now: () => Date;
}

async function exportBatch(target: Target, runs: readonly TraceExport[], at: Date): Promise<void> {
  const { services, settings } = target;
  const { database: db } = services;
  let batch: LoadedRun[] = [];
  let left = runs.map(({ runId }) => runId);
  const send = async () => {
    const isTaken = await sendRuns(target, batch);
    if (isTaken) left = left.filter((runId) => batch.every((run) => run.runId !== runId));
    batch = [];
    return isTaken;
  };
  for (const run of runs) {
    const loaded = await loadRun(db, run, { withContent: settings.withContent, at }).catch(unlessAway);
    if (loaded === "open" || loaded === "unreadable") {
      left = left.filter((runId) => runId !== run.runId);
      if (loaded === "unreadable") await drop(db, [run], "what is stored of it can't be read");
      else await postponeExports(db, [run.runId], new Date(at.getTime() + OPEN_SPANS_WAIT_MS));
      continue;
    }
    if (batch.length > 0 && !fits([...batch, loaded]) && !(await send())) break;
    batch.push(loaded);
  }
  if (batch.length > 0) await send();
  // The collector did not take them: it is asked again for the same, once its pause is over.
  if (left.length > 0) await giveExportsBack(db, left);
}

/** A row that can't be read costs no other run its trace; a database that does not answer is asked again. */
function unlessAway(error: unknown): "unreadable" {
  if (isBusy(error) || isAway(error)) throw error;
  logger().error({ err: error }, "a run can't be exported");
  return "unreadable";
}

/** The spans that are finished; `open` if more will be. */
async function loadRun(
  db: Database,
  { runId, traceId, endedAt }: TraceExport,
  { withContent, at }: { readonly withContent: boolean; readonly at: Date },
): Promise<LoadedRun | "open"> {
  const rows = await selectSpansOfRun(db, { traceId, runId });
  const spans = rows.map(toSpan);
  const isLate = at.getTime() - endedAt.getTime() > OPEN_SPANS_LONGEST_MS;
  if (!isLate && spans.some(({ endedAtMs }) => endedAtMs === null)) return "open";
  const run = await db.run.findUnique({ where: { id: runId } });
  const content = withContent && run ? runContent(runId, (await loadRunMessages(db, run)).messages) : null;
  const exported: ExportedRun = {
    errorCode: run?.errorCode ?? null,
    origin: run?.origin ?? null,
    caller: await findCaller(db, run),
  };
  const finished = spans.filter((span): span is Span & { endedAtMs: number } => span.endedAtMs !== null);
  return { runId, spans: finished.map((span) => toOtlpSpan(span, exported, content?.of(span) ?? null)) };
}

/** Who started the run at the top, which names the trace of all runs below it. */
async function findCaller(
  db: Database,
  run: { readonly input: string; readonly rootRunId: string | null } | null,
): Promise<Traceparent | null> {
  if (run === null) return null;
  const root = run.rootRunId === null ? run : await db.run.findUnique({ where: { id: run.rootRunId } });
  // Few runs have one, and the others should not pay for parsing their input again.
  if (!root?.input.includes('"traceparent":')) return null;
  return readInputOrNone(root.input).traceparent ?? null;
}

function fits(batch: readonly LoadedRun[]): boolean {
  const spans = batch.flatMap((run) => run.spans);
  return spans.length <= MAX_SPANS_PER_REQUEST && sizeOf(spans) <= MAX_CHARS_PER_REQUEST;
}

function sizeOf(spans: readonly OtlpSpan[]): number {
  return spans.reduce((sum, { attributes }) => sum + JSON.stringify(attributes).length, 0);
}

/**
 * False if the collector is to be asked again later. Of a request that it refuses for good, the half that is at fault is
 * looked for, so that one run costs no other its trace.
 */
async function sendRuns(target: Target, runs: readonly LoadedRun[]): Promise<boolean> {
  const { services, settings, now } = target;
  const { database: db } = services;
  const collector = collectorOf(services);
  const outcome = await sendInParts(settings, runs);
  if (outcome.kind === "later") {
    noteUnavailable(collector, outcome, now().getTime());
    return false;
  }
  noteAvailable(collector);
  const ids = runs.map(({ runId }) => runId);
  if (outcome.kind === "accepted") {
    await deleteExports(db, ids);
    count("exportedRuns", [], runs.filter(({ spans }) => spans.length > 0).length);
    return true;
  }
  if (runs.length === 1) {
    await drop(db, runs, outcome.reason);
    return true;
  }
  const half = Math.ceil(runs.length / 2);
  return (await sendRuns(target, runs.slice(0, half))) && (await sendRuns(target, runs.slice(half)));
}

/** Several requests for a run with more spans than one should have; without spans, none. */
async function sendInParts(settings: OtlpSettings, runs: readonly LoadedRun[]): Promise<SendOutcome> {
  let part: OtlpSpan[] = [];
  let chars = 0;
  for (const span of runs.flatMap(({ spans }) => spans)) {
    const size = sizeOf([span]);
    if (part.length >= MAX_SPANS_PER_REQUEST || (part.length > 0 && chars + size > MAX_CHARS_PER_REQUEST)) {
      const outcome = await sendSpans(part, settings);
      if (outcome.kind !== "accepted") return outcome;
      part = [];
      chars = 0;
    }
    part.push(span);
    chars += size;
  }
  return part.length === 0 ? { kind: "accepted" } : sendSpans(part, settings);
}

async function drop(db: Database, runs: readonly { readonly runId: string }[], reason: string): Promise<void> {
  const runIds = runs.map(({ runId }) => runId);
  logger().warn({ runIds, reason }, "traces were not exported");
  await deleteExports(db, runIds);
  count("droppedRuns", [], runIds.length);
}

/** One line for consecutive failures, and the wait doubles unless the collector says how long. */
function noteUnavailable(
  state: Collector,
  { reason, afterMs }: Extract<SendOutcome, { kind: "later" }>,
  nowMs: number,
): void {
  state.failures += 1;
  const doubled = Math.min(FIRST_PAUSE_MS * 2 ** (state.failures - 1), LONGEST_PAUSE_MS);
  const pauseMs = Math.min(afterMs ?? doubled, LONGEST_PAUSE_MS);
  state.pausedUntilMs = nowMs + pauseMs;
  if (state.failures === 1) logger().warn({ reason, pauseMs }, "the OTLP collector takes no traces; trying again");
}

function noteAvailable(state: Collector): void {
  if (state.failures > 0) logger().info({ failures: state.failures }, "the OTLP collector takes traces again");
  Object.assign(state, { failures: 0, pausedUntilMs: 0 });
}

import { z } from "zod";
import type { RunOutcome } from "@/lib/agent/hooks/hook";
import { latestSummary, latestTodos, resumeFrom } from "@/lib/agent/journal";
import type { PromptSection } from "@/lib/agent/model";
import { runAgent } from "@/lib/agent/run-agent";
import { RunSuspended } from "@/lib/agent/run-cancelled";
import type { RunState } from "@/lib/agent/run-context";
import { prepareHistory } from "@/lib/context/history/prepare-history";
import { Effort } from "@/lib/schema/agents/choices";
import { AppError } from "@/lib/schema/app-error";
import type { StoredRunEvent } from "@/lib/schema/runs/run-event";
import { loadInterrupts } from "@/lib/server/engine/asks/load-interrupts";
import { loadKnownAddresses } from "@/lib/server/engine/asks/load-known-addresses";
import { openRunBudget, type RunBudgetGate } from "@/lib/server/engine/budgets/run-budget";
import { reportChildren } from "@/lib/server/engine/children/report-children";
import { wakeParents } from "@/lib/server/engine/children/wake-parents";
import { dispatchStatements } from "@/lib/server/engine/dispatch/dispatcher-of";
import { isTakenOverTooOften, progressOf } from "@/lib/server/engine/dispatch/progress";
import { isPutOff, reschedule } from "@/lib/server/engine/dispatch/reschedule";
import type { SegmentOutcome } from "@/lib/server/engine/dispatch/run-dispatcher";
import { cancelChildren, cancelRun } from "@/lib/server/engine/ending/cancel";
import { pauseRun } from "@/lib/server/engine/ending/pause";
import { type EndReason, endingOf, type RunEnding, toOpenRun } from "@/lib/server/engine/ending/plan";
import { type FollowUp, storeUntilEnded } from "@/lib/server/engine/ending/store";
import { countEvent } from "@/lib/server/engine/log/count-event";
import type { EventWriter } from "@/lib/server/engine/log/event-writer";
import { readAllEvents, readJournal } from "@/lib/server/engine/log/read-events";
import { StoredRunLog } from "@/lib/server/engine/log/run-log";
import { announceQueued, announceRows } from "@/lib/server/engine/log/signals";
import { placeQueued } from "@/lib/server/engine/queue/place-queued";
import { runSteering } from "@/lib/server/engine/queue/run-steering";
import { loadEarlier, openReplay, replayedState, withRecorded } from "@/lib/server/engine/replay/open-replay";
import { loadTodos } from "@/lib/server/engine/transcript/load-todos";
import { createId } from "@/lib/server/platform/create-id";
import type { Database } from "@/lib/server/platform/db/database";
import { isBusy, isDiskFull, isNothingChanged } from "@/lib/server/platform/db/errors";
import { requeueSteeredStatement } from "@/lib/server/platform/db/queries/dispatch/queued-runs";
import { KEY_ENDED, keyLimits } from "@/lib/server/platform/key-limits";
import { logger } from "@/lib/server/platform/logger";
import { type AgentVersion, loadAgentVersion } from "./agent-version";
import { beginSegment } from "./begin-segment";
import type { ClaimedRun } from "./claimed-run";
import { loadRetriedCall } from "./continue-run";
import type { RunsGivenBack } from "./give-back";
import { DatabaseAway, LeaseLost } from "./lease-lost";
import type { EnginePorts, SegmentTrace } from "./ports";
import { projectSections } from "./project-section";
import { RunInput } from "./run-input";
import { startOf } from "./run-row";
import { watchSleep, workedMs } from "./run-time";
import { configInPlace } from "./workspace-scope";

export interface ExecutionDependencies extends EnginePorts {
  readonly database: Database;
  readonly writer: EventWriter;
  readonly givenBack: RunsGivenBack;
}

/** The host's handle on a run that it executes. */
export interface ExecutionControl {
  readonly abort: AbortController;
  /** Set while the process is ending: the run stops at its next commit. */
  suspendAtCommit: Error | null;
  log: StoredRunLog | null;
  /** There may be a message to the run that no step has read. */
  isSteered: boolean;
  /** The run's budgets, once it is known whether any apply. */
  budget?: RunBudgetGate | null;
  /** What the host does once the run has ended. */
  readonly followUp?: FollowUp | null;
}

/**
 * Runs one segment of a claimed run to its end: `back` if another process, or this one later, continues it. Otherwise a
 * failure becomes the run's ending or a log line.
 */
export async function executeRun(
  dependencies: ExecutionDependencies,
  claimed: ClaimedRun,
  control: ExecutionControl,
): Promise<SegmentOutcome> {
  const { database } = dependencies;
  let run = claimed;
  let known: KnownOfRun | null = null;
  let end: SegmentEnd;
  let trace: SegmentTrace | null = null;
  try {
    known = await loadKnown(database, run);
    let { input } = known;
    const { before, state } = known;
    const version = await dependencies.versionOfRun(run, await loadAgentVersion(database, run.agentVersionId));
    const missing = await dependencies.missingHere?.(run, version.config);
    if (await dependencies.givenBack.giveBack(run, missing)) return "requeue";
    if (run.segment === 0) await requireKey(database, run);
    if (input.transcriptPosition === null) {
      const placed = await placeQueued(database, run, version);
      run = placed.run;
      input = RunInput.parse(JSON.parse(run.input));
      if (placed.refusal) throw placed.refusal;
    }
    trace = await dependencies.traces.open(run, version);
    end = isTakenOverTooOften(run)
      ? { reason: { kind: "too-many-takeovers" } }
      : await runSegment(dependencies, { run, version, input, before, state, trace, control });
  } catch (error) {
    if (isPutOff(error)) {
      control.log?.close();
      await trace?.suspend();
      return reschedule(database, run, error, control.abort.signal);
    }
    end = { reason: failureOf(run, error) };
  }
  control.log?.close();
  if ("waiting" in end) {
    await trace?.suspend();
    return pause(dependencies, { run, outcome: end.waiting, control }).catch((error: unknown) => {
      if (isPutOff(error)) return reschedule(database, run, error, control.abort.signal);
      throw error;
    });
  }
  const rows = [...(known?.before ?? []), ...(control.log?.emitted ?? [])];
  const todos = known === null || known.state.todos === known.todos ? null : known.state.todos;
  return finish(database, { run, reason: end.reason, known: rows, todos, trace, control });
}

/** What the client of a response wants the agent to keep to, in this run alone. */
function clientInstructions({ response }: RunInput): PromptSection[] {
  return response?.instructions ? [{ name: "instructions", text: response.instructions }] : [];
}

interface KnownOfRun {
  readonly input: RunInput;
  /** The rows of its earlier segments. */
  readonly before: readonly StoredRunEvent[];
  /** The plan that the previous run left. */
  readonly todos: RunState["todos"];
  readonly state: RunState;
}

/** What the run begins or continues with. Throws `internal` if it can't be read. */
async function loadKnown(database: Database, run: ClaimedRun): Promise<KnownOfRun> {
  try {
    const [before, todos] = await Promise.all([
      run.segment === 0 ? [] : readJournal(database, run.id),
      loadTodos(database, { threadId: run.threadId, leaf: run.afterRunId }),
    ]);
    const events = before.map(({ event }) => event);
    const state = { todos: latestTodos(events) ?? todos, summary: latestSummary(events) };
    return { input: RunInput.parse(JSON.parse(run.input)), before, todos, state };
  } catch (error) {
    if (!(error instanceof SyntaxError || error instanceof z.ZodError)) throw error;
    logger().error({ err: error, runId: run.id }, "what is stored of a run can't be read");
    throw new AppError("internal", "What the database holds of this run can't be read, so it can't continue.");
  }
}

interface Finished {
  readonly run: ClaimedRun;
  readonly reason: EndReason;
  /** The run's events so far. */
  readonly known: readonly StoredRunEvent[];
  /** Null if the run has not changed them. */
  readonly todos: RunState["todos"] | null;
  readonly trace: SegmentTrace | null;
  readonly control: ExecutionControl;
}

/** Stores the end of the run, and what follows from it for others. */
async function finish(database: Database, finished: Finished): Promise<SegmentOutcome> {
  const { run, reason, known, todos, trace, control } = finished;
  const openRun = toOpenRun(run);
  const events = known.map(({ event }) => event);
  const ending = endingOf(reason, openRun, events);
  trace?.end(ending);
  // In a failed run the log may be what failed, so its stored rows have to be read.
  const stored = ending.event.type === "run.failed" ? null : known;
  const { followUp, abort } = control;
  const isCompleted = ending.event.type === "run.completed";
  if (await storeUntilEnded(database, { run: openRun, ending, stored, todos, followUp }, abort.signal)) {
    const isAlone = run.parentRunId === null && events.every(({ type }) => type !== "subagent.started");
    if (!(isAlone && isCompleted)) await afterEnd(database, run.id, ending);
    return "done";
  }
  if (isCompleted && (await continueForSteers(database, run))) return "done";
  const isSuspended = abort.signal.reason instanceof RunSuspended;
  return reschedule(database, run, isSuspended ? abort.signal.reason : new LeaseLost(), abort.signal);
}

/** A run that its API key left in the queue does not begin once the key has ended. Throws `forbidden`. */
async function requireKey(database: Database, { apiKeyId, parentRunId }: ClaimedRun): Promise<void> {
  if (apiKeyId === null || parentRunId !== null) return;
  const { state } = await keyLimits(database, apiKeyId);
  if (state !== "valid") throw new AppError("forbidden", KEY_ENDED[state]);
}

/**
 * A steer arrived while the last reply was being stored: its next segment reads the steer. False if the run continues
 * elsewhere, or has ended.
 */
async function continueForSteers(database: Database, { id, epoch, leaseOwner, ownerId, segment }: ClaimedRun) {
  try {
    await database.runAll([
      requeueSteeredStatement({ id, epoch, leaseOwner }),
      ...(await dispatchStatements(database, { id, ownerId, segment: segment + 1 })),
    ]);
  } catch (error) {
    if (isNothingChanged(error)) return false;
    throw error;
  }
  announceQueued();
  return true;
}

/** How a segment ended: with the run, or because calls wait. */
type SegmentEnd = { readonly reason: EndReason } | { readonly waiting: RunOutcome };

interface Pausing {
  readonly run: ClaimedRun;
  readonly outcome: RunOutcome;
  readonly control: ExecutionControl;
}

/**
 * The run becomes a waiting row. What it waits for may have arrived in the meantime, or it may have been cancelled.
 * Followers of the root run check whether anything in it is still running.
 */
async function pause(
  { database, resumeConnected: connected }: ExecutionDependencies,
  { run, outcome, control }: Pausing,
): Promise<SegmentOutcome> {
  const stored = await readAllEvents(database, run.id);
  if (!(await pauseRun(database, { run: toOpenRun(run), outcome, stored }))) {
    return reschedule(database, run, new LeaseLost(), control.abort.signal);
  }
  const now = await database.run.findUnique({ where: { id: run.id } });
  if (now?.cancelRequestedAt) await cancelRun(database, run.id, now.cancelledBy ?? "unknown");
  if (outcome.waitingFor?.includes("connect")) await connected?.();
  await wakeParents(database);
  announceRows(run.rootRunId ?? run.id, []);
  return "done";
}

/**
 * Continues a parent that waited for this run, and stops child runs that this run left behind without waiting for them.
 */
async function afterEnd(database: Database, runId: string, { event }: RunEnding): Promise<void> {
  if (event.type === "run.cancelled") await cancelChildren(database, runId, event.by);
  else if (event.type === "run.failed")
    await cancelChildren(database, runId, "the failed run", { isBackground: false });
  await wakeParents(database);
  await reportChildren(database);
}

interface Segment {
  readonly run: ClaimedRun;
  readonly version: AgentVersion;
  readonly input: RunInput;
  readonly before: readonly StoredRunEvent[];
  readonly state: RunState;
  readonly trace: SegmentTrace;
  readonly control: ExecutionControl;
}

async function runSegment(dependencies: ExecutionDependencies, segment: Segment): Promise<SegmentEnd> {
  const { run, version: published, input, before, trace, control } = segment;
  const { id: runId, threadId, agentId, traceId } = run;
  const config = configInPlace(published.config, run);
  const version = { ...published, config };
  const log = openLog(dependencies, segment);
  control.log = log;
  const extensions = dependencies.extensionsOf?.(config) ?? {};
  beginSegment({ run, version, before, extensions, draftRevision: input.draftRevision }, log, trace.recorder);
  const timer = setTimeout(() => control.abort.abort(timedOut(version)), remainingMs(segment));
  const stopWatching = watchSleep(dependencies.database, run);
  try {
    const replay = await openReplay(dependencies, run, version, control);
    const own = { threadId, leaf: run.afterRunId };
    const [built, project, stored, interrupts] = await Promise.all([
      replay ?? dependencies.build(run, version),
      run.projectId === null ? [] : projectSections(dependencies.database, run.projectId),
      loadEarlier(dependencies.database, { own, input, replay, placement: config.compaction.placement }),
      loadInterrupts(
        dependencies.database,
        { ...run, canAsk: input.canAsk ?? true, config, trigger: input.trigger },
        before,
      ),
    ]);
    const history = prepareHistory([...stored.pair, ...stored.messages], config);
    const events = before.map(({ event }) => event);
    const resumed = resumeFrom([...(replay?.events ?? []), ...events]);
    const effort = run.effort === null ? undefined : Effort.parse(run.effort);
    const retriedRunId = input.isRetry && resumed.journal.length === 0 ? run.continuesRunId : null;
    const retried = retriedRunId
      ? await loadRetriedCall(dependencies.database, dependencies.traces, {
          runId: retriedRunId,
          model: built.model.name,
          effort,
        })
      : null;
    const { database } = dependencies;
    const budget = await openRunBudget(database, { run, config, input, before: events, model: built.model });
    control.budget = budget;
    const outcome = await runAgent(
      {
        ...built,
        ...(budget ? { budget, model: budget.model } : {}),
        system: [...built.system, ...project, ...clientInstructions(input), ...stored.system],
        config: input.defaultResponse === undefined ? config : { ...config, default_response: input.defaultResponse },
        hooks: [...dependencies.historyHooks({ input, stored, report: history.report }), ...built.hooks],
        history: history.messages,
        input: input.messages,
        effort,
        ...resumed,
        retried,
        steering: run.parentRunId === null ? runSteering({ database, run, log, trace: trace.recorder, control }) : null,
      },
      {
        runId,
        traceId,
        threadId,
        agentId,
        userId: run.ownerId,
        segment: run.segment,
        ...startOf(run),
        signal: control.abort.signal,
        log,
        trace: trace.recorder,
        state: replay ? replayedState(replay, segment.state, latestTodos(events) !== null) : segment.state,
        interrupts: withRecorded(interrupts, replay),
        knownAddresses: () => loadKnownAddresses(database, run),
        now: Date.now,
        createId,
        logLine: (level, message, fields) => logger()[level]({ runId, ...fields }, message),
      },
    );
    // A failed run's last streamed text is worth keeping, unless the log itself failed.
    if (outcome.status === "failed") await log.commit("normal").catch(() => undefined);
    else await log.commit("normal");
    if (outcome.status === "waiting") return { waiting: outcome };
    return { reason: { kind: "outcome", outcome, cancelledBy: run.cancelledBy ?? cancelledBy(control) } };
  } finally {
    clearTimeout(timer);
    await stopWatching();
    await control.budget?.close();
  }
}

function openLog({ writer }: ExecutionDependencies, { run, before, control }: Segment): StoredRunLog {
  const progress = progressOf(run);
  return new StoredRunLog({
    runId: run.id,
    epoch: run.epoch,
    lastSeq: before.at(-1)?.seq ?? 0,
    writer,
    now: Date.now,
    storedWith(row) {
      countEvent(run.agentId, row.event);
      return [...progress(row), ...(control.budget?.storedWith(row) ?? [])];
    },
    onFailure: (error) => control.abort.abort(error instanceof RunSuspended ? error : notStored(error)),
    afterCommit: () => {
      if (control.suspendAtCommit) throw control.suspendAtCommit;
    },
  });
}

function notStored(cause: unknown): Error {
  if (isBusy(cause)) return new DatabaseAway();
  const reason = cause instanceof Error ? cause.message : String(cause);
  const message = isDiskFull(cause)
    ? "The disk of the server is full, so the run could not be recorded. Free space, then continue."
    : `The run could not be recorded in the database: ${reason}`;
  return new AppError("unavailable", message, { cause });
}

function timedOut({ config }: AgentVersion): AppError {
  const seconds = config.timeouts.run_ms / 1_000;
  return new AppError("timeout", `The run took longer than its limit of ${seconds} s (timeouts.run_ms).`);
}

function remainingMs({ run, version, before }: Segment): number {
  return Math.max(0, version.config.timeouts.run_ms - workedMs(run, before, Date.now()));
}

function cancelledBy({ abort }: ExecutionControl): string {
  const reason: unknown = abort.signal.reason;
  return reason instanceof Error && "by" in reason && typeof reason.by === "string" ? reason.by : "unknown";
}

function failureOf(run: ClaimedRun, error: unknown): EndReason {
  if (error instanceof AppError) return { kind: "failed", error: { code: error.code, message: error.message } };
  logger().error({ err: error, runId: run.id }, "run stopped by an internal error");
  const message = "The run stopped because of an internal error. The server's log has it.";
  return { kind: "failed", error: { code: "internal", message } };
}

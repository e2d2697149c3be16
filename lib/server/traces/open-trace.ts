import { beginningOf } from "@/lib/agent/messages/cut-error";
import type { SpanHandle, TraceRecorder } from "@/lib/agent/run-context";
import { ENDED_STATUSES } from "@/lib/schema/runs/run";
import { toRunVersion } from "@/lib/schema/runs/run-version";
import { showUsage } from "@/lib/schema/runs/usage";
import { type AgentVersion, loadAgentVersion } from "@/lib/server/engine/agent-version";
import { clientThreadId } from "@/lib/server/engine/children/run-tree";
import type { ClaimedRun } from "@/lib/server/engine/claimed-run";
import { endColumns } from "@/lib/server/engine/ending/plan";
import type { SegmentTrace, TracePort } from "@/lib/server/engine/ports";
import { draftRevisionOf, RunInput } from "@/lib/server/engine/run-input";
import { NO_TRACE } from "@/lib/server/engine/trace-id";
import type { Database } from "@/lib/server/platform/db/database";
import { endSpansOfEndedRuns, interruptSpans } from "@/lib/server/platform/db/queries/spans";
import { upsertTrace } from "@/lib/server/platform/db/queries/traces";
import { loadStepRequest } from "./load-sent-request";
import { createRecorder, createRowRecorder, openSpan, type RunRecorder, type SpanBuffer } from "./recorder";
import { isSampled, isTraceSampled, silentRecorder, silentSpan } from "./sample";

/** The value of a trace's version column if its run used a draft. */
export const DRAFT_VERSION = 0;

/** The traces of one process, whose spans wait in `buffer`. */
export function tracePort(database: Database, buffer: SpanBuffer): TracePort {
  return {
    open: (run, version) => openTrace(database, buffer, run, version),
    sentRequest: (runId, step) => loadStepRequest(database, { runId, rootId: rootSpanId(runId), step }),
    endLeftSpans: () => endLeftSpans(database),
    endLateSpans: (threadId) => endLateSpans(database, threadId),
  };
}

/**
 * Starts (or, in a later segment, continues) the trace of a run: its row, and the root span `agent` that covers all
 * segments. Spans that a dead process left open are closed as interrupted. A run excluded by `trace.sample` has no
 * spans, only the row with its status and figures, and its tool calls and steps.
 */
async function openTrace(
  database: Database,
  buffer: SpanBuffer,
  run: ClaimedRun,
  version: AgentVersion,
): Promise<SegmentTrace> {
  const rootId = rootSpanId(run.id);
  if (run.traceId === NO_TRACE) return segmentTrace(silentRecorder(), silentSpan(rootId), async () => undefined);
  const startedAt = run.startedAt ?? new Date();
  if (run.segment > 0) await interruptSpans(database, { traceId: run.traceId, runId: run.id }, rootId);
  const [clientId] = await Promise.all([
    clientThreadId(database, run.threadId),
    run.parentRunId === null ? storeTrace(database, run, version, startedAt) : null,
  ]);
  const isRecorded =
    run.parentRunId === null
      ? isSampled(run.id, version.config.trace.sample)
      : await isRunSampled(database, run.traceId);
  const traced = { ...tracedRun(run, version), epoch: run.epoch };
  const suspend = () => buffer.flush();
  return isRecorded
    ? segmentTrace(createRecorder(buffer, traced), openRoot(buffer, run, version, clientId), suspend)
    : segmentTrace(createRowRecorder(buffer, traced), silentSpan(rootId), suspend);
}

/** The recorder for work after a run's end; only the tool calls if the run was not sampled. */
export async function lateRecorder(database: Database, buffer: SpanBuffer, run: ClaimedRun): Promise<TraceRecorder> {
  if (run.traceId === NO_TRACE) return silentRecorder();
  const traced = tracedRun(run, await loadAgentVersion(database, run.agentVersionId));
  return (await isRunSampled(database, run.traceId))
    ? createRecorder(buffer, traced)
    : createRowRecorder(buffer, traced);
}

/** The run as a recorder names it, without the claim of the process that executes it. */
function tracedRun(run: ClaimedRun, version: Pick<AgentVersion, "id" | "number">) {
  const { id: runId, traceId, threadId, ownerId, agentId } = run;
  const used = { agentVersionId: version.id, agentVersion: version.number ?? DRAFT_VERSION };
  const owner = { rootRunId: run.rootRunId ?? runId, threadId, ownerId, agentId, ...used, isReplay: isReplay(run) };
  return { traceId, runId, rootId: rootSpanId(runId), owner };
}

function isReplay({ replayId }: ClaimedRun): boolean {
  return replayId !== null;
}

async function isRunSampled(database: Database, traceId: string): Promise<boolean> {
  const select = { runId: true, agentVersionId: true };
  const trace = await database.trace.findUnique({ where: { id: traceId }, select });
  return trace === null || (await isTraceSampled(database, trace));
}

function openRoot(buffer: SpanBuffer, run: ClaimedRun, version: AgentVersion, clientId: string): SpanHandle {
  const { id: runId, traceId, agentId } = run;
  return openSpan(buffer, {
    id: rootSpanId(runId),
    traceId,
    runId,
    parentId: run.parentSpanId,
    type: "agent",
    name: run.subagentName ?? agentId,
    status: "running",
    startedAtMs: (run.startedAt ?? new Date()).getTime(),
    attributes: {
      agent_id: agentId,
      agent_version: toRunVersion(version.number),
      ...(version.number === null ? { draft_revision: draftRevisionOf(run) } : {}),
      thread_id: clientId,
      segments: run.segment + 1,
    },
    error: null,
    endedAtMs: null,
    epoch: run.epoch,
  });
}

function segmentTrace(recorder: RunRecorder, root: SpanHandle, suspend: SegmentTrace["suspend"]): SegmentTrace {
  return {
    recorder,
    end(ending) {
      const { status, errorMessage } = endColumns(ending.event);
      const { inputTokens, outputTokens, estimated } = showUsage(ending.usage);
      root.set({ status, steps: ending.steps, input_tokens: inputTokens, output_tokens: outputTokens });
      if (estimated) root.set({ usage_estimated: true });
      if (ending.event.type === "run.completed" && ending.event.silent) root.set({ silent: true });
      root.end(status, errorMessage ?? undefined);
      recorder.endSteps(ending.steps);
    },
    suspend,
  };
}

/** The run's `agent` span, the parent of everything else in it. */
export function rootSpanId(runId: string): string {
  return `sp_${runId}`;
}

function storeTrace(database: Database, run: ClaimedRun, version: AgentVersion, startedAt: Date): Promise<void> {
  const { id: runId, traceId: id, ownerId, threadId, agentId } = run;
  const used = { agentVersionId: version.id, agentVersion: version.number ?? DRAFT_VERSION };
  const { origin, originDetails, attended, apiKeyId, projectId } = run;
  const start = { startedAt, origin, originDetails, attended, apiKeyId, projectId, firstLine: firstLineOf(run) };
  return upsertTrace(database, { id, runId, ownerId, threadId, agentId, ...used, ...start }, run.epoch);
}

const MAX_LINE_CHARS = 200;

/** The first line of the message that the run answers; null if it has none, like a continued run. */
export function firstLineOf({ input }: ClaimedRun): string | null {
  const asked = RunInput.parse(JSON.parse(input)).messages.find(({ role }) => role === "user");
  const text = asked?.content.trim().split("\n", 1)[0]?.trim() ?? "";
  return text === "" ? null : beginningOf(text, MAX_LINE_CHARS).toWellFormed();
}

const NEWEST_TRACES = 500;

/** Ends the spans that dead processes left open for work after a thread's ended runs. */
async function endLateSpans(database: Database, threadId: string): Promise<void> {
  const where = { threadId, status: { in: [...ENDED_STATUSES] } };
  const runs = await database.run.findMany({ where, select: { id: true, traceId: true } });
  for (const { id: runId, traceId } of runs) await interruptSpans(database, { traceId, runId }, "");
}

/**
 * Ends the spans of ended runs whose process was killed before it stored those ends: they are stored up to 100 ms after
 * the run's end.
 */
function endLeftSpans(database: Database): Promise<void> {
  return endSpansOfEndedRuns(database, NEWEST_TRACES);
}

import type { SpanStatus } from "@/lib/schema/span";
import type { Database } from "../db";
import type { AgentVersion } from "../runs/agent-version";
import type { ClaimedRun } from "../runs/claim-runs";
import type { SegmentTrace } from "../runs/execute-run";
import type { RunEnding } from "../runs/run-ending";
import { createRecorder, openSpan, type SpanBuffer } from "./recorder";
import { interruptOpenSpans } from "./save-spans";

/**
 * Starts (or, in a later segment, goes on with) the trace of a run: its row, and the root span `agent` that spans all
 * segments. Spans that a dead process left open are closed as interrupted.
 */
export async function openTrace(
  database: Database,
  buffer: SpanBuffer,
  run: ClaimedRun,
  version: AgentVersion,
): Promise<SegmentTrace> {
  const { id: runId, traceId, agentId, threadId } = run;
  const rootId = rootSpanId(runId);
  const startedAt = run.startedAt ?? new Date();
  if (run.segment > 0) await interruptOpenSpans(database, runId, rootId);
  if (run.parentRunId === null) await storeTrace(database, run, version, startedAt);
  const root = openSpan(buffer, {
    id: rootId,
    traceId,
    runId,
    parentId: run.parentSpanId,
    type: "agent",
    name: run.subagentName ?? agentId,
    status: "running",
    startedAtMs: startedAt.getTime(),
    attributes: { agent_id: agentId, agent_version: version.number, thread_id: threadId, segments: run.segment + 1 },
    error: null,
    endedAtMs: null,
  });
  return {
    recorder: createRecorder(buffer, { traceId, runId, rootId }),
    end(ending) {
      const { status, error } = rootEnd(ending);
      root.set({ status, steps: ending.steps, input_tokens: ending.usage.inputTokens });
      root.set({ output_tokens: ending.usage.outputTokens });
      if (ending.event.type === "run.completed" && ending.event.silent) root.set({ silent: true });
      root.end(status, error);
    },
    suspend: () => undefined,
  };
}

/** The span `agent` of a run, under which everything else of it hangs. */
export function rootSpanId(runId: string): string {
  return `sp_${runId}`;
}

async function storeTrace(database: Database, run: ClaimedRun, version: AgentVersion, startedAt: Date): Promise<void> {
  const sql = `insert into "trace" ("id", "runId", "ownerId", "threadId", "agentId", "agentVersionId", "agentVersion",
      "title", "status", "startedAt")
    select $1, $2, $3, $4, $5, $6, $7, (select "title" from "thread" where "id" = $4), 'running', $8
    on conflict ("id") do update set "status" = 'running', "endedAt" = null`;
  const { id, traceId, ownerId, threadId, agentId } = run;
  await database.raw(sql, [traceId, id, ownerId, threadId, agentId, version.id, version.number, startedAt]);
}

function rootEnd({ event }: RunEnding): { status: SpanStatus; error?: string } {
  if (event.type === "run.cancelled") return { status: "cancelled" };
  if (event.type === "run.failed") return { status: event.status, error: event.error.message };
  return { status: event.status };
}

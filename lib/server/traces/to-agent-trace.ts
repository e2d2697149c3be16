import "server-only";
import { wireUsageNotes } from "@/lib/schema/runs/usage";
import type { AgentTrace, AgentTraceDetail } from "@/lib/schema/traces/agent-trace";
import type { Trace, TraceSummary } from "@/lib/schema/traces/trace";
import type { Database } from "@/lib/server/platform/db/database";

/** Traces in the public API's spelling; `thread_id` is the one that its client chose. One query for all. */
export async function toAgentTraces(database: Database, traces: readonly TraceSummary[]): Promise<AgentTrace[]> {
  const threads = await database.thread.findMany({
    where: { id: { in: traces.map((trace) => trace.threadId) } },
    select: { id: true, clientId: true },
  });
  const clientIds = new Map(threads.map((thread) => [thread.id, thread.clientId]));
  return traces.map((trace) => ({
    trace_id: trace.id,
    run_id: trace.runId,
    agent_id: trace.agentId,
    thread_id: clientIds.get(trace.threadId) ?? trace.threadId,
    status: trace.status,
    started_at: trace.startedAt,
    duration_ms: trace.durationMs,
    input_tokens: trace.usage.inputTokens,
    output_tokens: trace.usage.outputTokens,
    ...wireUsageNotes(trace.usage),
    cost_usd: trace.costUsd,
    error: trace.error,
  }));
}

export async function toAgentTraceDetail(database: Database, trace: Trace): Promise<AgentTraceDetail> {
  const [head] = await toAgentTraces(database, [trace]);
  if (!head) throw new Error("one trace in, one out");
  return {
    ...head,
    spans: trace.spans.map((span) => ({
      id: span.id,
      parent_id: span.parentId,
      type: span.type,
      name: span.name,
      status: span.status,
      started_at: new Date(span.startedAtMs).toISOString(),
      duration_ms: span.endedAtMs === null ? null : Math.max(0, span.endedAtMs - span.startedAtMs),
      attributes: span.attributes,
      ...(span.error === null ? {} : { error: span.error }),
    })),
  };
}

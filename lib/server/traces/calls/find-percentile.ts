import "server-only";
import {
  type CallPercentileReply,
  LEAST_CALLS,
  MOST_CALLS,
  PERCENTILE_DAYS,
} from "@/lib/schema/traces/calls/call-percentile";
import { hasAdminScope, type Viewer } from "@/lib/schema/users/user";
import { selectCallTimes } from "@/lib/server/platform/db/queries/calls/call-times";
import type { Services } from "@/lib/server/platform/services";
import { auditTraceAccess } from "@/lib/server/traces/audit-trace-access";
import { flushSpans } from "@/lib/server/traces/recorder";
import { traceNotFound, visibleTo } from "@/lib/server/traces/trace-access";

const DAY_MS = 86_400_000;

interface SpanPlace {
  /** The id of the trace or of its run. */
  readonly traceId: string;
  readonly spanId: string;
}

/**
 * Where a call's own time, without waits, stands among its agent's calls of the same tool: for administrators those of
 * everybody, for other people their own. Throws `not_found` for somebody else's trace.
 */
export async function findPercentile(
  services: Services,
  viewer: Viewer,
  { traceId, spanId }: SpanPlace,
): Promise<CallPercentileReply> {
  const { database } = services;
  const trace = await database.trace.findFirst({
    where: { AND: [visibleTo(viewer), { OR: [{ id: traceId }, { runId: traceId }] }] },
    select: { id: true, ownerId: true, threadId: true },
  });
  if (!trace) throw traceNotFound();
  await auditTraceAccess(services, viewer, trace);
  await flushSpans();
  const call = await database.call.findFirst({
    where: { traceId: trace.id, spanId },
    select: { agentId: true, tool: true, tookMs: true },
  });
  if (call === null || call.tookMs === null) return { percentile: null };
  const { agentId, tool, tookMs } = call;
  const isAdmin = hasAdminScope(viewer);
  const since = new Date(Date.now() - PERCENTILE_DAYS * DAY_MS);
  const scope = { agentId, tool, since, ownerId: isAdmin ? undefined : viewer.id, reach: viewer.reach };
  const { calls, faster, slower, p95Ms } = await selectCallTimes(database, scope, { tookMs, most: MOST_CALLS });
  if (calls < LEAST_CALLS || p95Ms === null) return { percentile: null };
  const of = isAdmin ? "everybody" : "own";
  return {
    percentile: { tool, tookMs, calls, of, slowerThan: faster / calls, fasterThan: slower / calls, p95Ms },
  };
}

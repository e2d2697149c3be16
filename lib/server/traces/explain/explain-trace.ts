import "server-only";
import type { TraceDigest } from "@/lib/schema/traces/digest";
import type { Trace } from "@/lib/schema/traces/trace";
import type { Viewer } from "@/lib/schema/users/user";
import type { Database } from "@/lib/server/platform/db/database";
import type { Services } from "@/lib/server/platform/services";
import { getTrace } from "@/lib/server/traces/get-trace";
import { DRAFT_VERSION } from "@/lib/server/traces/open-trace";
import { visibleTo } from "@/lib/server/traces/trace-access";
import { digestOf } from "./digest-of";
import type { VersionBefore } from "./version-lines";

/** So many runs of the version before are looked at, the newest; fewer than the least say nothing. */
const MOST_RUNS = 50;
const LEAST_RUNS = 5;

/** What is worth knowing about a run, by rules. Throws `not_found` like `getTrace`; a look at another's is audited. */
export async function explainTrace(services: Services, viewer: Viewer, traceId: string): Promise<TraceDigest> {
  const trace = await getTrace(services, viewer, traceId, "light");
  return { lines: digestOf(trace, await versionBefore(services.database, viewer, trace)) };
}

/** Of the runs that the viewer may read; null for a draft, a first version, and one with too few runs. */
async function versionBefore(
  database: Database,
  viewer: Viewer,
  { agentId, agentVersion }: Trace,
): Promise<VersionBefore | null> {
  if (agentVersion === "draft") return null;
  const known = { AND: [visibleTo(viewer)], agentId, status: "completed", origin: { not: "replay" } };
  const last = await database.trace.findFirst({
    where: { ...known, agentVersion: { gt: DRAFT_VERSION, lt: agentVersion } },
    orderBy: { agentVersion: "desc" },
    select: { agentVersion: true },
  });
  if (!last) return null;
  const runs = await database.trace.findMany({
    where: { ...known, agentVersion: last.agentVersion },
    orderBy: [{ startedAt: "desc" }, { id: "desc" }],
    take: MOST_RUNS,
    select: { steps: true, workedMs: true, costUsd: true, inputTokens: true, isUsagePartial: true },
  });
  if (runs.length < LEAST_RUNS) return null;
  return {
    version: last.agentVersion,
    runs: runs.map(({ isUsagePartial, ...run }) => (isUsagePartial ? { ...run, inputTokens: null } : run)),
  };
}

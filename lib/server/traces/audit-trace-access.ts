import "server-only";
import type { Viewer } from "@/lib/schema/users/user";
import { writeAudit } from "@/lib/server/audit/audit-log";
import type { Services } from "@/lib/server/platform/services";

const ACTION = "trace.viewed";
const SAME_ACCESS_MS = 5 * 60_000;

type LookedAt = { readonly id: string; readonly ownerId: string; readonly threadId: string };

/**
 * Records that an admin reads other people's traces. A page that keeps refreshing counts as one access for five
 * minutes.
 */
export async function auditTraceAccess(
  services: Services,
  viewer: Viewer,
  ...traces: readonly LookedAt[]
): Promise<void> {
  const ofOthers = traces.filter(({ ownerId }) => ownerId !== viewer.id);
  if (ofOthers.length === 0) return;
  const targetOf = ({ id }: LookedAt) => `trace:${id}`;
  const since = new Date(Date.now() - SAME_ACCESS_MS);
  const noted = await services.database.auditEntry.findMany({
    where: { createdAt: { gte: since }, actorId: viewer.id, action: ACTION, target: { in: ofOthers.map(targetOf) } },
    select: { target: true },
  });
  const known = new Set(noted.map(({ target }) => target));
  for (const trace of ofOthers) {
    const target = targetOf(trace);
    if (known.has(target)) continue;
    const { ownerId, threadId } = trace;
    await writeAudit(services, { actorId: viewer.id, action: ACTION, target, details: { ownerId, threadId } });
  }
}

import "server-only";
import type { Viewer } from "@/lib/schema/users/user";
import { writeAudit } from "@/lib/server/audit/audit-log";
import type { Services } from "@/lib/server/platform/services";

const SAME_ACCESS_MS = 5 * 60_000;

/**
 * Records that an admin reads another person's trace. A page that keeps refreshing counts as one access for five
 * minutes.
 */
export async function auditTraceAccess(
  services: Services,
  viewer: Viewer,
  trace: { readonly id: string; readonly ownerId: string; readonly threadId: string },
): Promise<void> {
  if (trace.ownerId === viewer.id) return;
  const action = "trace.viewed";
  const target = `trace:${trace.id}`;
  const since = new Date(Date.now() - SAME_ACCESS_MS);
  const noted = await services.database.auditEntry.findFirst({
    where: { createdAt: { gte: since }, actorId: viewer.id, action, target },
    select: { id: true },
  });
  if (noted) return;
  await writeAudit(services, {
    actorId: viewer.id,
    action,
    target,
    details: { ownerId: trace.ownerId, threadId: trace.threadId },
  });
}

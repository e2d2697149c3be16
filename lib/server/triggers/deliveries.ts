import "server-only";
import type { z } from "zod";
import { AppError } from "@/lib/schema/app-error";
import { type Delivery, type DeliveryList, type DeliveryQuery, DeliveryState } from "@/lib/schema/triggers/delivery";
import { OutgoingTarget } from "@/lib/schema/triggers/outgoing-target";
import { hasAdminScope, type Viewer } from "@/lib/schema/users/user";
import { auditColumns } from "@/lib/server/platform/audit-columns";
import { asQueries } from "@/lib/server/platform/db/as-queries";
import { database } from "@/lib/server/platform/db/database";
import { pageOfRows, timeCursors } from "@/lib/server/platform/db/page-of-rows";
import { type DeliveryRow, selectNow } from "@/lib/server/platform/db/queries/dispatch/triggers";
import { deliveryTimer } from "./delivery-timer";

/** What the viewer's runs have sent, or everybody's for administrators; newest first. */
export async function listDeliveries(
  { state, runId, mine, limit, cursor }: DeliveryQuery,
  viewer: Viewer,
): Promise<z.infer<typeof DeliveryList>> {
  const rows = await database().delivery.findMany({
    where: {
      ...(hasAdminScope(viewer) && !mine ? {} : { ownerId: viewer.id }),
      ...(state === undefined ? {} : { state }),
      ...(runId === undefined ? {} : { runId }),
      ...timeCursors.behind(cursor, "createdAt", "descending"),
    },
    orderBy: [{ createdAt: "desc" }, { id: "desc" }],
    take: limit + 1,
  });
  const { page, nextCursor } = pageOfRows(rows, limit, ({ createdAt, id }) => timeCursors.write(createdAt, id));
  return { deliveries: page.map(toDelivery), nextCursor };
}

/** Sends it once more, in any state, with the same key. Throws `not_found`. */
export async function resendDelivery(id: string, viewer: Viewer): Promise<Delivery> {
  const db = database();
  const where = { id, ...(hasAdminScope(viewer) ? {} : { ownerId: viewer.id }) };
  const row = await db.delivery.findFirst({ where });
  if (!row) throw new AppError("not_found", "There is no such delivery.");
  const now = await selectNow(db);
  const record = {
    actorId: viewer.id,
    action: "delivery.resent",
    target: `delivery:${id}`,
    details: { was: row.state },
  };
  const [resent] = await db.$transaction([
    db.delivery.update({
      where: { id },
      data: { state: "pending", attempts: 0, nextAt: now, begunAt: null, error: null },
    }),
    db.auditEntry.create({ data: auditColumns(record), select: { id: true } }),
    ...asQueries(db, await deliveryTimer(db, id, now)),
  ]);
  return toDelivery(resent);
}

function toDelivery(row: DeliveryRow): Delivery {
  const { id, runId, attempts, error } = row;
  return {
    ...{ id, runId, attempts, error },
    target: OutgoingTarget.parse(JSON.parse(row.target)),
    state: DeliveryState.parse(row.state),
    nextAt: row.nextAt?.toISOString() ?? null,
    createdAt: row.createdAt.toISOString(),
    sentAt: row.sentAt?.toISOString() ?? null,
  };
}

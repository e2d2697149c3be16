import "server-only";
import { z } from "zod";
import { AppError } from "@/lib/schema/app-error";
import {
  type Delivery,
  type DeliveryAttempts,
  type DeliveryList,
  type DeliveryQuery,
  DeliveryState,
} from "@/lib/schema/triggers/delivery";
import { OutgoingTarget } from "@/lib/schema/triggers/outgoing-target";
import { hasAdminScope, type Viewer } from "@/lib/schema/users/user";
import { announceQueued } from "@/lib/server/engine/log/signals";
import { deliveryTimer } from "@/lib/server/engine/outgoing/delivery-timer";
import { auditColumns } from "@/lib/server/platform/audit-columns";
import type { Database } from "@/lib/server/platform/db/database";
import { readEach } from "@/lib/server/platform/db/each-alone";
import { pageOfRows, timeCursors } from "@/lib/server/platform/db/page-of-rows";
import { auditStatement } from "@/lib/server/platform/db/queries/audit";
import { updateDeliveryStatement } from "@/lib/server/platform/db/queries/dispatch/deliveries";
import { type DeliveryRow, selectNow } from "@/lib/server/platform/db/queries/dispatch/triggers";
import { deliveryInReach } from "@/lib/server/platform/within-reach";
import { requestBody } from "./targets/webhook-sender";

/** The deliveries of the viewer's runs, or everybody's for administrators; newest first. */
export async function listDeliveries(
  database: Database,
  { state, runId, webhookId, event, mine, limit, cursor }: DeliveryQuery,
  viewer: Viewer,
): Promise<z.infer<typeof DeliveryList>> {
  const rows = await database.delivery.findMany({
    where: {
      ...(hasAdminScope(viewer) && !mine ? {} : { ownerId: viewer.id }),
      ...deliveryInReach(viewer),
      ...(state === undefined ? {} : { state }),
      ...(runId === undefined ? {} : { runId }),
      ...(webhookId === undefined ? {} : { webhookId }),
      ...(event === undefined ? {} : { event }),
      ...timeCursors.behind(cursor, "createdAt", "descending"),
    },
    orderBy: [{ createdAt: "desc" }, { id: "desc" }],
    take: limit + 1,
  });
  const { page, nextCursor } = pageOfRows(rows, limit, ({ createdAt, id }) => timeCursors.write(createdAt, id));
  return { deliveries: readEach(page, "delivery", toDelivery), nextCursor };
}

/** Sends a delivery again, in any state, with the same idempotency key. Throws `not_found`. */
export async function resendDelivery(database: Database, id: string, viewer: Viewer): Promise<Delivery> {
  const row = await requireDelivery(database, id, viewer);
  const now = await selectNow(database);
  const record = {
    actorId: viewer.id,
    action: "delivery.resent",
    target: `delivery:${id}`,
    details: { was: row.state },
  };
  const resent = { state: "pending", attempts: 0, nextAt: now, begunAt: null, error: null };
  await database.runAll([
    updateDeliveryStatement(id, resent),
    auditStatement(record),
    ...(await deliveryTimer(database, id, now)),
  ]);
  announceQueued("timers-due");
  return toDelivery({ ...row, ...resent });
}

/** Deletes a delivery with its attempts; a pending one is not sent. Throws `not_found`. */
export async function deleteDelivery(database: Database, id: string, viewer: Viewer): Promise<void> {
  const { state, event } = await requireDelivery(database, id, viewer);
  const record = {
    actorId: viewer.id,
    action: "delivery.deleted",
    target: `delivery:${id}`,
    before: { state, event },
  };
  await database.$transaction([
    database.delivery.deleteMany({ where: { id } }),
    database.auditEntry.create({ data: auditColumns(record), select: { id: true } }),
  ]);
}

async function requireDelivery(database: Database, id: string, viewer: Viewer): Promise<DeliveryRow> {
  const where = { id, ...(hasAdminScope(viewer) ? {} : { ownerId: viewer.id }), ...deliveryInReach(viewer) };
  const row = await database.delivery.findFirst({ where });
  if (!row) throw new AppError("not_found", "There is no such delivery.");
  return row;
}

/** The requests sent and the responses, by attempt. Throws `not_found`. */
export async function listAttempts(database: Database, id: string): Promise<DeliveryAttempts> {
  const row = await database.delivery.findUnique({
    where: { id },
    include: { attemptLog: { orderBy: [{ at: "asc" }, { id: "asc" }] } },
  });
  if (!row) throw new AppError("not_found", "There is no such delivery.");
  const attempts = readEach(row.attemptLog, "delivery attempt", ({ at, tookMs, status, error, headers, response }) => ({
    at: at.toISOString(),
    tookMs,
    status,
    error,
    response,
    headers: z.record(z.string(), z.string()).parse(JSON.parse(headers)),
  }));
  return { body: requestBody(row), attempts };
}

function toDelivery(row: DeliveryRow): Delivery {
  const { id, runId, attempts, error } = row;
  return {
    id,
    runId,
    attempts,
    error,
    event: row.event,
    target: OutgoingTarget.parse(JSON.parse(row.target)),
    state: DeliveryState.parse(row.state),
    nextAt: row.nextAt?.toISOString() ?? null,
    createdAt: row.createdAt.toISOString(),
    sentAt: row.sentAt?.toISOString() ?? null,
  };
}

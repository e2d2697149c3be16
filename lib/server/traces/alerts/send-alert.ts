import "server-only";
import { z } from "zod";
import { AlertMetric } from "@/lib/schema/traces/alert";
import { conditionLabel, valueLabel } from "@/lib/schema/traces/alert-labels";
import type { NotificationWay } from "@/lib/schema/users/notification";
import { hasAdminScope, type Viewer } from "@/lib/schema/users/user";
import { announceQueued } from "@/lib/server/engine/log/signals";
import { deliveryTimer } from "@/lib/server/engine/outgoing/delivery-timer";
import type { Database } from "@/lib/server/platform/db/database";
import { isTaken } from "@/lib/server/platform/db/errors";
import { insertDeliveryStatement } from "@/lib/server/platform/db/queries/dispatch/triggers";
import type { Services } from "@/lib/server/platform/services";
import { deliveryId } from "@/lib/server/triggers/notify/delivery-id";
import { tellPerson } from "@/lib/server/triggers/notify/tell-person";
import { type AlertRow, targetsOf } from "./alerts";

/** A message that was decided on: what it says was true at `at`. */
const AlertMessage = z.object({ isFiring: z.boolean(), value: z.number().nullable(), at: z.iso.datetime() });
export type AlertMessage = z.infer<typeof AlertMessage>;

/** Puts the message that was decided on into its person's inbox and the outbox. Safe to repeat. */
export async function sendAlert(services: Services, row: AlertRow, viewer: Viewer, now: Date): Promise<void> {
  const { database } = services;
  const message = AlertMessage.parse(JSON.parse(row.unsent ?? "null"));
  const metric = AlertMetric.parse(row.metric);
  const { id, name, ownerId, threshold, windowMinutes, messages } = row;
  const value = valueLabel(metric, message.value);
  const targets = targetsOf(row);
  const ways = targets.flatMap((target): NotificationWay[] => {
    if ("email" in target) return ["email"];
    return "channel" in target ? ["channel"] : [];
  });
  const event = {
    kind: "alert",
    ...{ ownerId, key: `alert ${id} ${messages}`, source: `alert ${name}`, path: pathOf(row) },
    title: message.isFiring ? `${name}: ${value}` : `${name} has recovered: ${value}`,
    detail: `${conditionLabel({ metric, threshold, windowMinutes })}.`,
    ...{ at: new Date(message.at), ways },
  } as const;
  await tellPerson(services, event, now);
  // A webhook leaves the installation: only administrators send there, whatever they were when they chose it.
  const webhooks = hasAdminScope(viewer) ? targets.flatMap((to) => ("webhook" in to ? [to.webhook] : [])) : [];
  for (const webhookId of webhooks) await queueWebhook(database, row, { message, webhookId, now });
  await database.alert.updateMany({ where: { id, messages }, data: { unsent: null, updatedAt: row.updatedAt } });
}

/** The page where what it measures can be looked at. */
function pathOf({ metric, query }: AlertRow): string {
  if (metric === "schedule_missed") return "/automations/schedules";
  return query === "" ? "/traces" : `/traces?${query}`;
}

interface Outgoing {
  readonly message: AlertMessage;
  readonly webhookId: string;
  readonly now: Date;
}

async function queueWebhook(db: Database, row: AlertRow, { message, webhookId, now }: Outgoing): Promise<void> {
  const { name, ownerId, metric, query, threshold, messages } = row;
  const target = { webhook: webhookId };
  const id = deliveryId(`alert ${row.id} ${messages}`, target);
  const event = message.isFiring ? "alert.firing" : "alert.recovered";
  const about = { alert_id: row.id, name, metric, query, threshold, window_minutes: row.windowMinutes };
  const body = JSON.stringify({ type: event, timestamp: message.at, data: { ...about, value: message.value } });
  const delivery = { id, runId: "", ownerId, webhookId, event, body, target: JSON.stringify(target) };
  try {
    await db.runAll([
      insertDeliveryStatement({ ...delivery, state: "pending", nextAt: now, createdAt: now }),
      ...(await deliveryTimer(db, id, now)),
    ]);
  } catch (error) {
    if (!isTaken(error)) throw error;
  }
  announceQueued("timers-due");
}

import { type DeliveryKind, kindOfTarget, OutgoingTarget } from "@/lib/schema/triggers/outgoing-target";
import type { DeliveryRow } from "@/lib/server/platform/db/queries/dispatch/triggers";
import type { Services } from "@/lib/server/platform/services";
import { tellPerson } from "./tell-person";

/** Notifications themselves are left out: to tell of one that failed would be another. */
const KIND_LABELS: Readonly<Partial<Record<DeliveryKind, string>>> = {
  thread: "the result for a thread",
  email: "the result by email",
  channel: "the result for a chat",
  message: "a message to a chat",
  question: "a question in a chat",
};

interface GivenUp {
  readonly error: string;
  readonly now: Date;
}

/**
 * Tells that something a run sends out was given up after the last attempt: a webhook's creator once a day, because its
 * receiver may be away for all of them, otherwise the run's owner.
 */
export async function notifyDeliveryFailed(
  services: Services,
  row: DeliveryRow,
  { error, now }: GivenUp,
): Promise<void> {
  const { database } = services;
  const { id, runId, ownerId, attempts } = row;
  const run = await database.run.findUnique({ where: { id: runId }, select: { threadId: true } });
  // A test has no run, as an alert has none: whoever sent it sees its outcome.
  const isOfAlert = row.event?.startsWith("alert.") ?? false;
  if (!run && !isOfAlert) return;
  const target = OutgoingTarget.parse(JSON.parse(row.target));
  const count = attempts === 0 ? "1 attempt" : `${attempts + 1} attempts`;
  const event = { kind: "delivery", title: "A delivery was given up", detail: `${count}: ${error}`, at: now } as const;
  if (target.webhook !== undefined) {
    const webhook = await database.webhook.findUnique({ where: { id: target.webhook } });
    if (!webhook) return;
    const about = { ownerId: webhook.createdById, source: `webhook ${webhook.name}`, path: "/automations/webhooks" };
    const key = `webhook ${webhook.id} ${now.toISOString().slice(0, 10)}`;
    return tellPerson(services, { ...event, ...about, key }, now);
  }
  const source = KIND_LABELS[kindOfTarget(target)];
  if (source === undefined || !run) return;
  const key = `delivery ${id} ${now.toISOString()}`;
  await tellPerson(services, { ...event, ownerId, source, path: `/threads/${run.threadId}`, key }, now);
}

import "server-only";
import { z } from "zod";
import { NotificationSubject, type OutgoingTarget } from "@/lib/schema/triggers/outgoing-target";
import type { NotificationKind } from "@/lib/schema/users/notification";
import { deliveryTimer } from "@/lib/server/engine/outgoing/delivery-timer";
import type { Database } from "@/lib/server/platform/db/database";
import { insertDeliveryStatement } from "@/lib/server/platform/db/queries/dispatch/triggers";
import { DeliveryDropped } from "@/lib/server/triggers/targets/delivery-sender";
import { deliveryId } from "./delivery-id";

/** Events that were held back, as the body of the single message that follows. */
const SummaryItems = z.array(z.object({ runId: z.string(), subject: NotificationSubject }));
type SummaryItem = z.infer<typeof SummaryItems>[number];

interface Held {
  readonly ownerId: string;
  readonly item: SummaryItem;
  /** The targets it would otherwise have been sent to. */
  readonly targets: readonly OutgoingTarget[];
  /** Whether the person wants these once a day. */
  readonly isDaily: boolean;
  /** When it is sent. */
  readonly nextAt: Date;
  readonly now: Date;
}

/** Adds an event to the message that each target gets later. A repeat adds nothing twice. */
export async function addToSummary(
  database: Database,
  { ownerId, item, targets, isDaily, nextAt, now }: Held,
): Promise<void> {
  for (const wanted of targets) {
    const target: OutgoingTarget = { summary: { ...wayOf(wanted), ...(isDaily ? { isDaily } : {}) } };
    if (await isSummarised(database, { ownerId, item, now, target: JSON.stringify(target) })) continue;
    const id = deliveryId(`${ownerId} ${nextAt.toISOString()}`, target);
    await database.exclusive(`summary ${id}`, async () => {
      const row = await database.delivery.findUnique({ where: { id }, select: { body: true } });
      const known = row ? itemsOf(row.body) : [];
      if (known.some((one) => isSame(one, item))) return;
      const body = JSON.stringify([...known, item]);
      if (row) return void (await database.delivery.update({ where: { id }, data: { body }, select: { id: true } }));
      const columns = { id, runId: item.runId, ownerId, target: JSON.stringify(target), body, state: "pending" };
      const insert = insertDeliveryStatement({ ...columns, nextAt, createdAt: now });
      await database.runAll([insert, ...(await deliveryTimer(database, id, nextAt))]);
    });
  }
}

/** An event is seen again for a day, and a summary may have waited for more than another. */
const LOOK_BACK_MS = 72 * 60 * 60_000;

interface Seen extends Pick<Held, "ownerId" | "item" | "now"> {
  /** Default: any. */
  readonly target?: string;
}

/** Whether a summary contains the event: the sweep sees the same event again, also after the summary was sent. */
export async function isSummarised(database: Database, { ownerId, item, now, target }: Seen): Promise<boolean> {
  const rows = await database.delivery.findMany({
    where: {
      ownerId,
      target: target ?? { startsWith: '{"summary":' },
      createdAt: { gte: new Date(now.getTime() - LOOK_BACK_MS) },
    },
    select: { body: true },
    orderBy: { id: "asc" },
  });
  return rows.some(({ body }) => itemsOf(body).some((one) => isSame(one, item)));
}

function wayOf({ push, mail, chat }: OutgoingTarget): NonNullable<OutgoingTarget["summary"]> {
  if (push) return { way: "push", device: push.device };
  if (chat) return { way: "channel" };
  return { way: mail ? "email" : "page" };
}

function itemsOf(body: string): SummaryItem[] {
  return SummaryItems.parse(JSON.parse(body));
}

function isSame(one: SummaryItem, other: SummaryItem): boolean {
  return (
    one.runId === other.runId &&
    one.subject.kind === other.subject.kind &&
    one.subject.approvalId === other.subject.approvalId &&
    one.subject.noteId === other.subject.noteId
  );
}

const LINES: Readonly<Record<NotificationKind, readonly [one: string, many: string]>> = {
  decision: ["1 decision waits for you", "decisions wait for you"],
  budget: ["1 budget was reached", "budgets were reached"],
  failed: ["1 run has failed", "runs have failed"],
  finished: ["1 run has finished", "runs have finished"],
  schedule: ["1 schedule was missed or paused", "schedules were missed or paused"],
  delivery: ["1 delivery was given up", "deliveries were given up"],
  board: ["1 board is done", "boards are done"],
  alert: ["1 alert has fired or recovered", "alerts have fired or recovered"],
};

/** The summary's text, without events decided since. Throws `DeliveryDropped` if nothing is left. */
export async function composeSummary(database: Database, body: string) {
  const items = itemsOf(body);
  const asked = items.flatMap(({ subject }) => subject.approvalId ?? []);
  const open = await database.approval.findMany({
    where: { id: { in: asked }, status: "pending" },
    select: { id: true },
    orderBy: { id: "asc" },
  });
  const left = items.filter(
    ({ subject: { approvalId } }) => approvalId === undefined || open.some(({ id }) => id === approvalId),
  );
  if (left.length === 0) throw new DeliveryDropped("Not sent: by then all of it was decided.");
  const lines = (Object.keys(LINES) as NotificationKind[]).flatMap((kind) => {
    const count = left.filter(({ subject }) => subject.kind === kind).length;
    if (count === 0) return [];
    return [count === 1 ? LINES[kind][0] : `${count} ${LINES[kind][1]}`];
  });
  return {
    title: left.length === 1 ? "1 thing came up" : `${left.length} things came up`,
    lines,
    path: open.length > 0 || left.some(({ subject }) => subject.noteId !== undefined) ? "/inbox" : "/",
  };
}

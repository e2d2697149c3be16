import "server-only";
import { OutgoingTarget } from "@/lib/schema/triggers/outgoing-target";
import { deliveryTimer } from "@/lib/server/engine/outgoing/delivery-timer";
import type { Database } from "@/lib/server/platform/db/database";
import { isTaken } from "@/lib/server/platform/db/errors";
import { insertDeliveryStatement } from "@/lib/server/platform/db/queries/dispatch/triggers";
import { userNames } from "@/lib/server/users/user-names";
import { deliveryId } from "./delivery-id";

/**
 * Once the question of a push is decided, replaces it in each browser that has shown it by a message that reports the
 * decision and has no buttons. A repeat queues nothing twice.
 */
export async function withdrawPushes(database: Database, runId: string, now = new Date()): Promise<void> {
  const sent = await database.delivery.findMany({
    where: { runId, state: "sent", target: { startsWith: '{"push":' } },
    select: { id: true, ownerId: true, target: true },
    orderBy: { id: "asc" },
  });
  const asked = sent.flatMap(({ ownerId, target }) => {
    const { push } = OutgoingTarget.parse(JSON.parse(target));
    return push?.approvalId === undefined || push.isDecided ? [] : [{ ownerId, push, approvalId: push.approvalId }];
  });
  if (asked.length === 0) return;
  const decided = await database.approval.findMany({
    where: { id: { in: asked.map(({ approvalId }) => approvalId) }, status: { not: "pending" } },
    select: { id: true },
    orderBy: { id: "asc" },
  });
  const isDecided = new Set(decided.map(({ id }) => id));
  for (const { ownerId, push, approvalId } of asked) {
    if (!isDecided.has(approvalId)) continue;
    const target = { push: { ...push, isDecided: true as const } };
    const id = deliveryId(runId, target);
    const row = { id, runId, ownerId, target: JSON.stringify(target), body: "", state: "pending" };
    const insert = insertDeliveryStatement({ ...row, nextAt: now, createdAt: now });
    try {
      await database.runAll([insert, ...(await deliveryTimer(database, id, now))]);
    } catch (error) {
      if (!isTaken(error)) throw error;
    }
  }
}

const STATUS: Readonly<Record<string, string>> = {
  approved: "Allowed",
  edited: "Edited and allowed",
  denied: "Denied",
  answered: "Answered",
};
const VIA: Readonly<Record<string, string>> = {
  page: "in the browser",
  inbox: "in the browser",
  push: "from a notification",
  channel: "in a chat",
  api: "over the API",
};

/** "Allowed by you in the browser."; addressed to the run's owner. */
export async function decisionText(database: Database, approvalId: string, ownerId: string): Promise<string> {
  const row = await database.approval.findUnique({
    where: { id: approvalId },
    select: { status: true, decidedBy: true, decidedVia: true },
  });
  const status = STATUS[row?.status ?? ""];
  if (!row || status === undefined) return "No longer open.";
  const { decidedBy, decidedVia } = row;
  const names = decidedBy === null ? null : await userNames(database, [decidedBy]);
  const who = decidedBy === ownerId ? "you" : (names?.get(decidedBy ?? "") ?? null);
  const words = [status, who && `by ${who}`, VIA[decidedVia ?? ""]];
  return `${words.filter(Boolean).join(" ")}.`;
}

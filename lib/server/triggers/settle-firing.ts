import { DeliveryTarget } from "@/lib/schema/triggers/delivery-target";
import { readAllEvents } from "@/lib/server/engine/log/read-events";
import { deliveryTimer } from "@/lib/server/engine/outgoing/delivery-timer";
import { createId } from "@/lib/server/platform/create-id";
import type { Database } from "@/lib/server/platform/db/database";
import { isNothingChanged } from "@/lib/server/platform/db/errors";
import {
  clearFailuresStatement,
  countFailureStatement,
  endFiringStatement,
  type FiringRow,
  insertDeliveryStatement,
  selectNow,
  selectTriggersLeft,
  selectUnnotedFirings,
} from "@/lib/server/platform/db/queries/dispatch/triggers";
import type { SqlStatement } from "@/lib/server/platform/db/sqlite-writer";
import { fireTrigger } from "./fire-trigger";
import { runPlanOf } from "./run-plan";
import { startClaimed } from "./start-claimed";

/** Statuses of a run that count as a failure of its trigger. */
const FAILED: readonly string[] = ["failed", "interrupted"];

/**
 * After the end of a trigger's run: notes how it went, queues what is to be delivered, counts failures, and starts a
 * firing that waited for it. May be repeated.
 */
export async function settleTrigger(database: Database, triggerId: string, at?: Date): Promise<void> {
  const now = at ?? (await selectNow(database));
  for (const firing of await selectUnnotedFirings(database, triggerId)) await settle(database, firing, now);
  await startClaimed(database, triggerId, now);
}

async function settle(database: Database, firing: FiringRow, now: Date): Promise<void> {
  const { id, triggerId, runId } = firing;
  const trigger = await database.trigger.findUniqueOrThrow({ where: { id: triggerId } });
  const run = runId === null ? null : await database.run.findUnique({ where: { id: runId } });
  const plan = runPlanOf(trigger);
  const outcome = run?.status ?? "gone";
  const failedCalls = run ? await countFailedCalls(database, run.id) : 0;
  const statements: SqlStatement[] = [endFiringStatement(id, outcome, failedCalls)];
  const { pause_after_failures: limit } = plan;
  if (FAILED.includes(outcome))
    statements.push(...(limit === null ? [] : [countFailureStatement(triggerId, limit, now)]));
  else if (outcome === "completed" || outcome === "limit") statements.push(clearFailuresStatement(triggerId));
  if (run && plan.deliver.length > 0) {
    const body = await finalText(database, run);
    for (const target of plan.deliver) {
      const deliveryId = createId("dlv");
      const to = JSON.stringify(DeliveryTarget.parse(target));
      const row = {
        id: deliveryId,
        runId: run.id,
        ownerId: run.ownerId,
        triggerId,
        target: to,
        body,
        webhookId: target.webhook ?? null,
      };
      statements.push(insertDeliveryStatement({ ...row, state: "pending", nextAt: now, createdAt: now }));
      statements.push(...(await deliveryTimer(database, deliveryId, now)));
    }
  }
  try {
    await database.rawTransaction(statements);
  } catch (error) {
    if (!isNothingChanged(error)) throw error;
  }
}

async function countFailedCalls(database: Database, runId: string): Promise<number> {
  const events = await readAllEvents(database, runId);
  return events.filter(({ event }) => event.type === "tool.result" && event.result.error !== undefined).length;
}

/** What the run said last, or why it did not. */
async function finalText(
  database: Database,
  run: { readonly assistantMessageId: string; readonly errorMessage: string | null; readonly notice: string | null },
): Promise<string> {
  const message = await database.transcriptMessage.findUnique({
    where: { id: run.assistantMessageId },
    select: { text: true },
  });
  return message?.text.trim() || run.errorMessage || run.notice || "";
}

/** How often what a dead process or a lost timer has left is looked for. */
export const TRIGGERS_EVERY_MS = 30_000;
/** A due time is left to its timer for so long. */
const TIMER_GRACE_MS = 10_000;
const AT_ONCE = 100;

/** Finishes what was left: firings without a run, ended runs without a note, due times whose timer is gone. */
export async function sweepTriggers(database: Database): Promise<void> {
  for (const triggerId of await selectTriggersLeft(database, AT_ONCE)) await settleTrigger(database, triggerId);
  const before = new Date((await selectNow(database)).getTime() - TIMER_GRACE_MS);
  const due = await database.trigger.findMany({
    where: { enabled: true, nextDueAt: { lt: before } },
    select: { id: true },
    take: AT_ONCE,
  });
  for (const { id } of due) await fireTrigger(database, id);
}

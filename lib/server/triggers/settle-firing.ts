import { failureText } from "@/lib/schema/runs/failure-text";
import type { RunEvent } from "@/lib/schema/runs/run-event";
import { DeliveryTarget } from "@/lib/schema/triggers/delivery-target";
import { readAllEvents } from "@/lib/server/engine/log/read-events";
import { announceQueued } from "@/lib/server/engine/log/signals";
import { deliveryTimer } from "@/lib/server/engine/outgoing/delivery-timer";
import { createId } from "@/lib/server/platform/create-id";
import type { Database } from "@/lib/server/platform/db/database";
import { eachAlone } from "@/lib/server/platform/db/each-alone";
import { isNothingChanged } from "@/lib/server/platform/db/errors";
import { selectWaitingTriggers } from "@/lib/server/platform/db/queries/dispatch/channels";
import {
  clearFailuresStatement,
  countFailureStatement,
  endFiringStatement,
  type FiringRow,
  insertDeliveryStatement,
  passFiringStatement,
  selectNow,
  selectTriggersLeft,
  selectUnnotedFirings,
} from "@/lib/server/platform/db/queries/dispatch/triggers";
import type { SqlStatement } from "@/lib/server/platform/db/sql-statement";
import type { Services } from "@/lib/server/platform/services";
import { chatText } from "./channels/chat-text";
import { findTargetLink } from "./channels/links/last-link";
import { fireTrigger } from "./fire-trigger";
import { notifyScheduleChanged } from "./schedules/notify-schedule-changed";
import { startClaimed } from "./start-claimed";
import type { RunPlan, SettledRun } from "./trigger-kind";
import { runPlanOf, triggerKindOf } from "./trigger-kinds";

/** More often than a conversation is handed over in a row. */
const MAX_ROUNDS = 5;

/** Statuses of a run that count as a failure of its trigger. */
const FAILED: readonly string[] = ["failed", "interrupted"];

/**
 * After a trigger's run has ended: records the outcome, queues deliveries, counts failures, and starts a firing that
 * waited for the run. Safe to repeat.
 */
export async function settleTrigger(services: Services, triggerId: string, at?: Date): Promise<void> {
  const now = at ?? (await selectNow(services.database));
  let firings = await selectUnnotedFirings(services.database, triggerId);
  // A firing that was handed over may have ended again.
  for (let round = 0; firings.length > 0 && round < MAX_ROUNDS; round++) {
    for (const firing of firings) await settle(services.database, firing, now);
    firings = await selectUnnotedFirings(services.database, triggerId);
  }
  await startClaimed(services, triggerId, now);
  await notifyScheduleChanged(services, triggerId, now);
  await startGroup(services, triggerId, now);
}

/** Another thread of the group may be waiting for the end of a run there. */
async function startGroup(services: Services, triggerId: string, now: Date): Promise<void> {
  const trigger = await services.database.trigger.findUnique({ where: { id: triggerId } });
  if (!trigger || trigger.ownerId === null) return;
  const { chat } = runPlanOf(trigger);
  if (chat?.chatKind !== "group") return;
  for (const id of await selectWaitingTriggers(services.database, chat)) await startClaimed(services, id, now);
}

async function settle(database: Database, firing: FiringRow, now: Date): Promise<void> {
  const { id, triggerId, runId } = firing;
  const trigger = await database.trigger.findUniqueOrThrow({ where: { id: triggerId } });
  const run = runId === null ? null : await database.run.findUnique({ where: { id: runId } });
  const plan = runPlanOf(trigger);
  const outcome = run?.status ?? "gone";
  const events = run ? (await readAllEvents(database, run.id)).map(({ event }) => event) : [];
  const failedCalls = countFailedCalls(events);
  const next = run && plan.chat ? await findHandoff(database, run) : null;
  const statements: SqlStatement[] =
    run && next
      ? [passFiringStatement(id, run.id, next.id)]
      : [
          endFiringStatement(id, outcome, failedCalls),
          ...countOutcome(triggerId, outcome, plan.pause_after_failures, now),
        ];
  if (run) {
    const { settle: settleKind } = triggerKindOf(trigger);
    const text = settleKind || plan.deliver.length > 0 ? await saidText(database, run) : "";
    const settled = await settleKind?.(database, { trigger, firing, run, text, now });
    const ended = settled ?? { said: text, isTold: false, statements: [] };
    statements.push(...ended.statements);
    statements.push(...(await deliveriesOf(database, run, { triggerId, ended, plan, now, events })));
  }
  try {
    await database.runAll(statements);
  } catch (error) {
    if (!isNothingChanged(error)) throw error;
    return;
  }
  if (run && plan.deliver.length > 0) announceQueued("timers-due");
}

/** The run of the agent to which this run has handed the conversation. */
function findHandoff(database: Database, { id, threadId }: RunRow): Promise<{ id: string } | null> {
  return database.run.findFirst({ where: { threadId, afterRunId: id, origin: "handoff" }, select: { id: true } });
}

/** `limit`: this many failures in a row pause the trigger. */
function countOutcome(triggerId: string, outcome: string, limit: number | null, now: Date): SqlStatement[] {
  if (FAILED.includes(outcome)) return limit === null ? [] : [countFailureStatement(triggerId, limit, now)];
  return outcome === "completed" || outcome === "limit" ? [clearFailuresStatement(triggerId)] : [];
}

interface Settled {
  readonly triggerId: string;
  readonly ended: SettledRun;
  readonly plan: RunPlan;
  readonly now: Date;
  readonly events: readonly RunEvent[];
}

/**
 * The deliveries of the run, one per target. A run that succeeds with NO_REPLY sends nothing; where somebody waits in a
 * chat, another without an answer says why there is none.
 */
async function deliveriesOf(database: Database, run: RunRow, settled: Settled): Promise<SqlStatement[]> {
  const { triggerId, ended, plan, now, events } = settled;
  if (plan.deliver.length === 0 || ended.isTold) return [];
  const { said } = ended;
  const isAwaited = plan.chat !== undefined && run.notice !== null;
  if (!said && run.status === "completed" && !isAwaited) return [];
  const body = said || failureText(run.errorMessage || run.notice || "");
  return deliveries(database, run, { triggerId, body, said: said || null, targets: plan.deliver, now, events });
}

interface Leaving {
  readonly triggerId: string;
  readonly body: string;
  /** Null if only the end of the run is to be reported. */
  readonly said: string | null;
  readonly targets: readonly DeliveryTarget[];
  readonly now: Date;
  readonly events: readonly RunEvent[];
}

async function deliveries(
  database: Database,
  run: RunRow,
  { triggerId, body: text, said, targets, now, events }: Leaving,
): Promise<SqlStatement[]> {
  const { id: runId, ownerId } = run;
  const statements: SqlStatement[] = [];
  for (const wanted of targets) {
    const target = await reachable(database, ownerId, wanted);
    const body =
      target.channel === undefined ? text : await chatText(database, run, { channel: target.channel, said, events });
    if (body === null) continue;
    const id = createId("dlv");
    const to = JSON.stringify(DeliveryTarget.parse(target));
    const row = { id, runId, ownerId, triggerId, target: to, body, webhookId: target.webhook ?? null };
    statements.push(insertDeliveryStatement({ ...row, state: "pending", nextAt: now, createdAt: now }));
    statements.push(...(await deliveryTimer(database, id, now)));
  }
  return statements;
}

type RunRow = NonNullable<Awaited<ReturnType<Database["run"]["findUnique"]>>>;

function countFailedCalls(events: readonly RunEvent[]): number {
  return events.filter((event) => event.type === "tool.result" && event.result.error !== undefined).length;
}

/** Empty if the run answered nothing or NO_REPLY. */
async function saidText(database: Database, run: { readonly assistantMessageId: string }): Promise<string> {
  const message = await database.transcriptMessage.findUnique({
    where: { id: run.assistantMessageId },
    select: { text: true },
  });
  return message?.text.trim() ?? "";
}

/** Falls back to a notification for a person who has used no chat yet, so that no result is lost. */
async function reachable(database: Database, ownerId: string, target: DeliveryTarget): Promise<DeliveryTarget> {
  if (target.channel !== "last" || (await findTargetLink(database, ownerId, "last"))) return target;
  return { notify: true };
}

/** How often work left by dead processes or lost timers is swept. */
export const TRIGGERS_EVERY_MS = 30_000;
/** How long a due time is left to its timer. */
const TIMER_GRACE_MS = 10_000;
const AT_ONCE = 100;

/** Finishes incomplete work: firings without a run, ended runs not yet recorded, due times whose timer is gone. */
export async function sweepTriggers(services: Services): Promise<void> {
  const { database } = services;
  const left = await selectTriggersLeft(database, AT_ONCE);
  await eachAlone(left, "settling a trigger", (triggerId) => settleTrigger(services, triggerId));
  const now = await selectNow(database);
  const before = new Date(now.getTime() - TIMER_GRACE_MS);
  const due = await database.trigger.findMany({
    where: { enabled: true, nextDueAt: { lt: before } },
    select: { id: true },
    take: AT_ONCE,
  });
  await eachAlone(due, "firing a trigger", ({ id }) => fireTrigger(services, id));
  const sleeping = await database.trigger.count({ where: { kind: "heartbeat", pausedReason: "idle" } });
  if (sleeping > 0) await import("./heartbeat/idle").then(({ wakeIdle }) => wakeIdle(database, now));
}

import { failureText } from "@/lib/schema/runs/failure-text";
import type { Database } from "@/lib/server/platform/db/database";
import type { Services } from "@/lib/server/platform/services";
import { tellPerson } from "@/lib/server/triggers/notify/tell-person";
import { triggerKindOf } from "@/lib/server/triggers/trigger-kinds";

const LOOK_BACK_MS = 24 * 60 * 60_000;

/** Pauses that nobody has chosen, and what they are called. */
const PAUSED: Readonly<Record<string, string>> = {
  failures: "Paused after failures in a row",
  agent_deleted: "Paused: its agent was deleted",
  key_revoked: "Paused: the API key that it was made with was revoked",
  key_expired: "Paused: the API key that it was made with has expired",
  key_deleted: "Paused: the API key that it was made with is gone",
  key_reach: "Paused: the API key that it was made with no longer reaches its agent",
};

/** Tells a schedule's owner that it missed due times, or has been paused. Safe to repeat. */
export async function notifyScheduleChanged(services: Services, triggerId: string, now: Date): Promise<void> {
  const { database } = services;
  const trigger = await database.trigger.findUnique({ where: { id: triggerId } });
  if (!trigger || trigger.ownerId === null || triggerKindOf(trigger).noun !== "schedule") return;
  const { ownerId, name, failures, pausedAt, pausedReason } = trigger;
  const since = new Date(now.getTime() - LOOK_BACK_MS);
  const about = {
    ownerId,
    kind: "schedule",
    source: `schedule ${name}`,
    path: `/automations/schedules/${triggerId}`,
  } as const;
  const missed = await database.firing.findFirst({
    where: {
      triggerId,
      createdAt: { gt: since },
      OR: [{ state: "missed" }, { reason: { startsWith: "Missed" } }],
    },
    orderBy: [{ createdAt: "desc" }, { count: "desc" }, { id: "desc" }],
  });
  if (missed) {
    const key = `missed ${triggerId} ${missed.createdAt.toISOString()}`;
    const title = missed.count === 1 ? "A due time was missed" : `${missed.count} due times were missed`;
    await tellPerson(services, { ...about, key, title, detail: missed.reason ?? "", at: missed.createdAt }, now);
  }
  const paused = PAUSED[pausedReason ?? ""];
  if (paused === undefined || pausedAt === null || pausedAt < since) return;
  const key = `paused ${triggerId} ${pausedAt.toISOString()}`;
  const title =
    pausedReason === "failures" ? `Paused after ${failures === 1 ? "1 failure" : `${failures} failures`}` : paused;
  await tellPerson(
    services,
    { ...about, key, title, detail: await lastProblem(database, triggerId), at: pausedAt },
    now,
  );
}

/** Why the latest firing came to nothing. */
async function lastProblem(database: Database, triggerId: string): Promise<string> {
  const last = await database.firing.findFirst({
    where: { triggerId },
    orderBy: [{ createdAt: "desc" }, { id: "desc" }],
    select: { reason: true, runId: true },
  });
  const run = last?.runId
    ? await database.run.findUnique({ where: { id: last.runId }, select: { errorMessage: true } })
    : null;
  return failureText(run?.errorMessage ?? last?.reason ?? "");
}

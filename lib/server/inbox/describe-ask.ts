import "server-only";
import { AppError } from "@/lib/schema/app-error";
import type { AskDetail } from "@/lib/schema/inbox/ask-detail";
import { plainGist } from "@/lib/schema/tools/plain-gist";
import { DeliveryState } from "@/lib/schema/triggers/delivery";
import { OutgoingTarget, wayOfTarget } from "@/lib/schema/triggers/outgoing-target";
import { StoredSchedule } from "@/lib/schema/triggers/schedule";
import { timeLabel } from "@/lib/schema/triggers/schedule-time";
import { decodeRunEvent } from "@/lib/server/engine/log/event-row";
import { originDetailsOf } from "@/lib/server/engine/run-row";
import type { Database } from "@/lib/server/platform/db/database";
import { triggerKindOf } from "@/lib/server/triggers/trigger-kinds";
import { type Asked, waitingFor } from "./list-approvals";
import { noteSeen } from "./note-seen";

/** How much of the run is shown: the calls, and the events in which they are looked for. */
const CALLS = 6;
const EVENTS = 40;

/** What led to an ask that waits for the viewer. Throws `not_found`, also once it is decided. */
export async function describeAsk(database: Database, id: string, viewer: Asked): Promise<AskDetail> {
  const row = await database.approval.findFirst({
    where: { AND: [{ id }, waitingFor(viewer)] },
    select: { id: true, runId: true, ownerId: true, createdAt: true, seenAt: true, run: true },
  });
  if (!row) throw new AppError("not_found", "This no longer waits for you.");
  const { run } = row;
  const root = await database.run.findUnique({
    where: { id: run.rootRunId ?? run.id },
    select: { originDetails: true, attended: true, startedAt: true },
  });
  const isOwn = row.ownerId === viewer.id;
  await noteSeen(database, [row], viewer.id);
  const [source, work, told] = await Promise.all([
    sourceOf(database, root?.originDetails ?? null),
    isOwn ? latestWork(database, run.id) : { calls: [], said: null },
    isOwn ? toldOf(database, row) : [],
  ]);
  const startedAt = run.startedAt ?? run.createdAt;
  const pausedAt = run.waitingSince ?? row.createdAt;
  return {
    id,
    runId: run.id,
    attended: root?.attended ?? run.attended,
    ...source,
    startedAt: (root?.startedAt ?? run.startedAt)?.toISOString() ?? null,
    steps: run.steps,
    costUsd: run.costUsd,
    workedMs: Math.max(0, pausedAt.getTime() - startedAt.getTime() - run.waitedMs),
    ...work,
    told,
  };
}

async function sourceOf(
  database: Database,
  originDetails: string | null,
): Promise<Pick<AskDetail, "sourcePath" | "when" | "dueAt">> {
  const { triggerId, firingId, boardId } = originDetailsOf({ originDetails });
  if (boardId !== undefined) return { sourcePath: `/automations/boards/${boardId}`, when: null, dueAt: null };
  const trigger = triggerId === undefined ? null : await database.trigger.findUnique({ where: { id: triggerId } });
  if (!trigger || triggerKindOf(trigger).noun !== "schedule") return { sourcePath: null, when: null, dueAt: null };
  const firing = await database.firing.findUnique({ where: { id: firingId ?? "" }, select: { dueAt: true } });
  const when = timeLabel(StoredSchedule.parse(JSON.parse(trigger.config)));
  return { sourcePath: `/automations/schedules/${trigger.id}`, when, dueAt: firing?.dueAt.toISOString() ?? null };
}

async function latestWork(database: Database, runId: string): Promise<Pick<AskDetail, "calls" | "said">> {
  const rows = await database.runEvent.findMany({
    where: { runId, type: { in: ["tool.call", "tool.result", "model.completed"] } },
    orderBy: { seq: "desc" },
    take: EVENTS,
    select: { data: true },
  });
  const events = rows.map(({ data }) => decodeRunEvent(data)).toReversed();
  const made = new Map(events.flatMap((event) => (event.type === "tool.call" ? [[event.call.id, event]] : [])));
  const calls = events.flatMap((event) => {
    if (event.type !== "tool.result") return [];
    const { toolCallId, error } = event.result;
    const asked = made.get(toolCallId);
    if (asked === undefined) return [];
    const { call, facts } = asked;
    const gist = facts?.gist ?? plainGist(call.args);
    return [{ toolCallId, tool: call.name, gist, isError: error !== undefined, durationMs: event.durationMs }];
  });
  const said = events.flatMap((event) => (event.type === "model.completed" ? event.reply.content.trim() || [] : []));
  return { calls: calls.slice(-CALLS), said: said.at(-1) ?? null };
}

interface AskRow {
  readonly id: string;
  readonly runId: string;
  readonly ownerId: string;
}

/** What was sent about the ask, oldest first; messages that only replace an earlier one are left out. */
async function toldOf(database: Database, { id, runId, ownerId }: AskRow): Promise<AskDetail["told"]> {
  const rows = await database.delivery.findMany({
    where: { runId, ownerId, target: { contains: id } },
    orderBy: [{ createdAt: "asc" }, { id: "asc" }],
    select: { target: true, state: true, sentAt: true, createdAt: true },
  });
  return rows.flatMap(({ target, state, sentAt, createdAt }) => {
    const way = wayOfTarget(OutgoingTarget.parse(JSON.parse(target)));
    if (way === null) return [];
    return [{ way, at: (sentAt ?? createdAt).toISOString(), state: DeliveryState.parse(state) }];
  });
}

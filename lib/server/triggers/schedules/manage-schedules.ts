import "server-only";
import type { z } from "zod";
import { AppError, invalidField, refuseFields } from "@/lib/schema/app-error";
import type { PageQuery } from "@/lib/schema/page-query";
import type { Firing, FiringLog, FiringLogQuery, PastRunList } from "@/lib/schema/triggers/firing";
import {
  type CreateScheduleBody,
  type Schedule,
  type ScheduleList,
  StoredSchedule,
  type UpdateScheduleBody,
} from "@/lib/schema/triggers/schedule";
import { hasAdminScope, type Reader, type Viewer } from "@/lib/schema/users/user";
import { loadCurrentVersion } from "@/lib/server/engine/agent-version";
import { changedFields } from "@/lib/server/platform/audit-columns";
import { createId } from "@/lib/server/platform/create-id";
import type { Database } from "@/lib/server/platform/db/database";
import { readEach } from "@/lib/server/platform/db/each-alone";
import { isNothingChanged } from "@/lib/server/platform/db/errors";
import type { AgentAccess } from "@/lib/server/platform/db/queries/agent-access";
import { auditStatement } from "@/lib/server/platform/db/queries/audit";
import {
  atMostSchedulesStatement,
  insertTriggerStatement,
  lockPersonStatement,
  selectNow,
  type TriggerRow,
  updateTriggerStatement,
} from "@/lib/server/platform/db/queries/dispatch/triggers";
import type { SqlStatement } from "@/lib/server/platform/db/sql-statement";
import { env } from "@/lib/server/platform/env";
import type { Services } from "@/lib/server/platform/services";
import { homeInReach } from "@/lib/server/platform/within-reach";
import { currentSettings } from "@/lib/server/settings/settings-state";
import { type FiringWhere, pageOfFiringRows, toFiring } from "@/lib/server/triggers/firings";
import { keyAfterChange, type Maker } from "@/lib/server/triggers/made-by-key";
import {
  allTriggers,
  deleteTrigger,
  fireNow,
  getStored,
  given,
  listTriggers,
  noSuchTrigger,
  pauseColumns,
  requireTrigger,
} from "@/lib/server/triggers/manage-trigger";
import { timerStatements } from "@/lib/server/triggers/timer";
import { whyPaused } from "@/lib/server/triggers/why-paused";
import { currentVersions, kindOf } from "./describe-schedules";
import { inOwnersZone, nextDue, requireTimes, timeZoneOf } from "./due-times";
import { withAnswers } from "./past-runs";

type Owner = Pick<Viewer, "id" | "scopes" | "reach" | "keyId">;

const NOUN = "schedule";

/** The viewer's schedules, or all of them for administrators; newest first. */
export async function listSchedules(
  services: Services,
  query: PageQuery,
  viewer: Viewer,
): Promise<z.infer<typeof ScheduleList>> {
  const { shown, nextCursor } = await listTriggers(services, NOUN, query, viewer);
  return { schedules: shown, nextCursor };
}

/**
 * Throws `not_found` for an unreachable agent, `invalid_input` for a time that is never due, `conflict` for a person who
 * has as many schedules as they may have.
 */
export async function createSchedule(
  services: Services,
  { agentId, enabled, ...fields }: CreateScheduleBody,
  viewer: Maker,
  access: AgentAccess,
): Promise<Schedule> {
  const { database } = services;
  await loadCurrentVersion(database, agentId, access);
  const config = StoredSchedule.parse(inOwnersZone(fields, viewer.id));
  const now = await selectNow(database);
  requireTimes(config, now, env().minEveryMs);
  await requireThread(database, config, agentId, viewer);
  const id = createId("trg");
  const nextDueAt = enabled ? nextDue(config, now) : null;
  const data = {
    id,
    ownerId: viewer.id,
    agentId,
    enabled,
    nextDueAt,
    kind: kindOf(config),
    name: config.name,
    config: JSON.stringify(config),
    apiKeyId: viewer.keyId ?? null,
  };
  const after = { name: config.name, agentId, when: whenOf(config), enabled };
  const record = { actorId: viewer.id, action: "schedule.created", target: `schedule:${id}`, after };
  try {
    await database.runAll([
      lockPersonStatement(viewer.id),
      insertTriggerStatement({ ...data, fromConfig: false, createdAt: now, updatedAt: now }),
      ...(await limitStatements(database, viewer.id)),
      auditStatement(record),
      ...(await timerStatements(database, id, nextDueAt)),
    ]);
  } catch (error) {
    if (isNothingChanged(error)) throw tooMany();
    throw error;
  }
  return getStored(services, NOUN, id);
}

/** The limit of members, counted in the transaction that adds one; administrators have none. */
async function limitStatements(db: Database, ownerId: string): Promise<SqlStatement[]> {
  const isAdmin = { OR: [{ role: "admin" }, { groupRole: "admin" }] };
  if ((await db.user.count({ where: { id: ownerId, ...isAdmin } })) > 0) return [];
  return [atMostSchedulesStatement(ownerId, currentSettings().schedulesPerPerson)];
}

function tooMany(): AppError {
  const { schedulesPerPerson: most } = currentSettings();
  return new AppError("conflict", `You have ${most} schedules, the most a person may have here. Delete one first.`);
}

/**
 * Omitted fields keep their values. Switching on clears the pause reason; a new time is counted from now. For a
 * schedule from an agent's config, only `enabled` and `allow` can be changed. Throws `not_found`, `invalid_input`,
 * `conflict`, `forbidden`.
 */
export async function updateSchedule(
  services: Services,
  id: string,
  { ownerId: takesOver, enabled: wanted, ...fields }: z.output<typeof UpdateScheduleBody>,
  viewer: Owner,
): Promise<Schedule> {
  const { database } = services;
  const row = await requireTrigger(services, NOUN, id, viewer);
  const isTaken = takesOver === "me";
  if (isTaken) await requireLeft(database, row, viewer);
  else if (row.ownerId !== viewer.id) throw new AppError("forbidden", NOT_YOURS);
  const before = StoredSchedule.parse(JSON.parse(row.config));
  if (row.fromConfig && Object.keys(fields).some((name) => name !== "allow")) {
    throw new AppError("conflict", FROM_CONFIG);
  }
  const config = merge(before, isTaken ? { ...fields, allow: [] } : fields);
  await requireThread(database, config, row.agentId, viewer);
  const enabled = wanted ?? row.enabled;
  const now = await selectNow(database);
  const nextDueAt = dueAfterChange(row, { before, config, enabled, now });
  const record = {
    actorId: viewer.id,
    action: isTaken ? "schedule.taken_over" : "schedule.changed",
    target: `schedule:${id}`,
    ...changedFields(
      { ...audited(before), enabled: row.enabled, ownerId: row.ownerId },
      { ...audited(config), enabled, ownerId: viewer.id },
    ),
  };
  const written = { name: config.name, kind: kindOf(config), config: JSON.stringify(config), enabled, nextDueAt };
  const isChanged = Object.keys(given(fields)).length > 0;
  const key = await keyAfterChange(database, row, viewer, { isChanged, isSwitchedOn: wanted === true });
  const data = { ...written, ...key, ownerId: viewer.id, ...pauseColumns(row, wanted, now) };
  await database.runAll([
    updateTriggerStatement(id, { ...data, updatedAt: now }),
    auditStatement(record),
    ...(await timerStatements(database, id, nextDueAt)),
  ]);
  return getStored(services, NOUN, id);
}

interface Change {
  readonly before: StoredSchedule;
  readonly config: StoredSchedule;
  readonly enabled: boolean;
  readonly now: Date;
}

/** An unchanged time keeps its next due time. Throws `invalid_input`. */
function dueAfterChange(row: TriggerRow, { before, config, enabled, now }: Change): Date | null {
  const isNewTime = whenOf(before) !== whenOf(config);
  const isSwitchedOn = enabled && !row.enabled;
  if (isNewTime || isSwitchedOn) requireTimes(config, now, env().minEveryMs);
  if (!enabled) return null;
  return isNewTime || isSwitchedOn ? nextDue(config, now) : row.nextDueAt;
}

/** Deletes a schedule; its runs stay, with their threads. Throws `not_found`, `forbidden`, `conflict`. */
export async function deleteSchedule(services: Services, id: string, viewer: Owner): Promise<void> {
  const row = await requireTrigger(services, NOUN, id, viewer);
  if (row.ownerId !== viewer.id && !hasAdminScope(viewer)) throw noSuchTrigger(NOUN);
  if (row.fromConfig) throw new AppError("conflict", FROM_CONFIG);
  const { name, agentId } = row;
  await deleteTrigger(services, NOUN, row, { actorId: viewer.id, before: { name, agentId } });
}

/** Fires the schedule now, with every check except the pause. Throws `not_found`, `forbidden`, `conflict`. */
export async function runSchedule(services: Services, id: string, viewer: Viewer): Promise<Firing> {
  const row = await requireTrigger(services, NOUN, id, viewer);
  if (row.ownerId !== viewer.id) throw new AppError("forbidden", NOT_YOURS);
  return toFiring(await fireNow(services, NOUN, row, viewer));
}

/** Newest first, with what their runs answered. Throws `not_found`. */
export async function listFirings(
  services: Services,
  id: string,
  query: PageQuery,
  viewer: Viewer,
): Promise<z.infer<typeof PastRunList>> {
  await requireTrigger(services, NOUN, id, viewer);
  const { rows, nextCursor } = await pageOfFiringRows(services.database, { triggerId: id }, query);
  return { firings: await withAnswers(services.database, rows), nextCursor };
}

/** Firings with an unwanted outcome, or with failed tools. */
const TROUBLED: FiringWhere = {
  OR: [
    { state: { in: ["skipped", "missed", "refused"] } },
    { outcome: { in: ["failed", "interrupted", "cancelled", "limit", "gone"] } },
    { failedCalls: { gt: 0 } },
  ],
};

/** The outcome of each due time of all the viewer's schedules, or of everybody's for administrators. */
export async function firingLog(
  database: Database,
  { state, ...query }: FiringLogQuery,
  viewer: Viewer,
): Promise<z.infer<typeof FiringLog>> {
  const triggers = await allTriggers(database, NOUN, viewer);
  const ofSchedules = { triggerId: { in: triggers.map(({ id }) => id) } };
  const where = state === undefined ? ofSchedules : { AND: [ofSchedules, TROUBLED] };
  const { rows, nextCursor } = await pageOfFiringRows(database, where, query);
  const agents = await currentVersions(
    database,
    triggers.map(({ agentId }) => agentId),
  );
  const known = readEach(triggers, "schedule", (trigger) => ({
    ...trigger,
    timezone: timeZoneOf(StoredSchedule.parse(JSON.parse(trigger.config))),
  }));
  const byId = new Map(known.map((trigger) => [trigger.id, trigger]));
  const firings = rows.flatMap((row) => {
    const trigger = byId.get(row.triggerId);
    if (!trigger) return [];
    const { timezone } = trigger;
    const agentName = agents.get(trigger.agentId)?.name ?? trigger.agentId;
    return [{ ...toFiring(row), scheduleId: trigger.id, scheduleName: trigger.name, agentName, timezone }];
  });
  return { firings, nextCursor };
}

const NOT_YOURS =
  "This schedule is another person's: its runs act for them. Take it over when they have left, or make one of your own.";
const FROM_CONFIG =
  "This schedule stands in the agent's config: change it there and publish. Here it can be switched on and off, and calls can be allowed.";

/** Only administrators can take over a schedule, and only if its owner has left. */
async function requireLeft(database: Database, row: TriggerRow, viewer: Owner): Promise<void> {
  if (!hasAdminScope(viewer)) throw new AppError("forbidden", "Only administrators take over a schedule.");
  if (row.ownerId === viewer.id) return;
  const paused = await whyPaused(database, row);
  if (paused === null) {
    throw new AppError("conflict", "Its owner still has an account, so it can't be taken over. Deactivate them first.");
  }
}

async function requireThread(
  database: Database,
  { thread }: StoredSchedule,
  agentId: string,
  viewer: Reader,
): Promise<void> {
  if (thread === "new" || thread === "same") return;
  const where = { id: thread, ownerId: viewer.id, agentId, deletedAt: null, isTest: false, ...homeInReach(viewer) };
  if ((await database.thread.count({ where })) > 0) return;
  throw invalidField("thread", "must be new, same, or the id of a thread of yours with this agent");
}

/** A new time replaces the old one of any kind. */
function merge(before: StoredSchedule, { cron, every, at, ...fields }: Partial<StoredSchedule>): StoredSchedule {
  const hasTime = cron !== undefined || every !== undefined || at !== undefined;
  const { cron: _, every: __, at: ___, ...others } = before;
  const merged = StoredSchedule.safeParse({ ...(hasTime ? { ...others, cron, every, at } : before), ...given(fields) });
  refuseFields(merged.error?.issues.map(({ path, message }) => ({ path: path.join("."), message })) ?? []);
  return StoredSchedule.parse(merged.data);
}

/** The schedule's time as a text, to detect changes. */
function whenOf({ cron, every, at, timezone = "" }: StoredSchedule): string {
  return [cron ?? every ?? at, timezone].join(" ").trim();
}

/** Excludes the prompt and arguments of calls from the audit log. */
function audited({ prompt, allow, deny, ...config }: StoredSchedule) {
  return { ...config, promptChars: prompt.length, allowed: allow.length, denied: deny.length };
}

import "server-only";
import { AppError } from "@/lib/schema/app-error";
import { Alert, AlertMetric, type AlertTarget, type CreateAlert, type UpdateAlert } from "@/lib/schema/traces/alert";
import { filtersOf, keptQuery } from "@/lib/schema/traces/alert-query";
import { hasAdminScope, type Viewer } from "@/lib/schema/users/user";
import { auditQuery } from "@/lib/server/audit/audit-log";
import { createId } from "@/lib/server/platform/create-id";
import type { Database } from "@/lib/server/platform/db/database";
import { readEach } from "@/lib/server/platform/db/each-alone";
import type { Services } from "@/lib/server/platform/services";
import { findProblem } from "@/lib/server/traces/problems/problems";
import { type Measured, measureAlert } from "./measure-alert";

/** Per person. */
const MOST_ALERTS = 50;

export type AlertRow = NonNullable<Awaited<ReturnType<Database["alert"]["findUnique"]>>>;

/** The viewer's own alerts by name; none for a limited key, because they may measure what it does not reach. */
export async function listAlerts(database: Database, viewer: Viewer): Promise<Alert[]> {
  if (viewer.reach !== undefined) return [];
  const where = { ownerId: viewer.id };
  const rows = await database.alert.findMany({ where, orderBy: [{ name: "asc" }, { id: "asc" }] });
  return readEach(rows, "alert", (row) => toAlert(row, viewer));
}

/** Measures it at once. Throws `invalid_input`, `not_found` for a limited key, and `conflict` where there are too many. */
export async function createAlert(
  services: Services,
  viewer: Viewer,
  alert: CreateAlert,
  now = new Date(),
): Promise<Alert> {
  const { database } = services;
  const ownerId = ownerOf(viewer);
  if ((await database.alert.count({ where: { ownerId } })) >= MOST_ALERTS) {
    throw new AppError("conflict", `You have ${MOST_ALERTS} alerts already. Delete some first.`);
  }
  const { name, threshold, windowMinutes } = alert;
  const measures = { ...(await checkedQuery(database, viewer, alert)), threshold, windowMinutes };
  const targets = await checkedTargets(database, viewer, alert.targets);
  const id = createId("alert");
  const isOwnOnly = isNarrower(viewer);
  const measured = await measureNow(services, viewer, { ...measures, armedAt: now }, now);
  const data = { id, ownerId, name, targets, isOwnOnly, armedAt: now, createdAt: now, ...measures, ...measured };
  const [row] = await database.$transaction([
    database.alert.create({ data }),
    auditQuery(services, {
      actorId: viewer.id,
      action: "alert.created",
      target: `alert:${id}`,
      details: { ...alert },
    }),
  ]);
  return toAlert(row, viewer);
}

/** Changes what is named; measuring starts over if what it measures changes. Throws as `createAlert` does. */
export async function updateAlert(services: Services, viewer: Viewer, id: string, change: UpdateAlert): Promise<Alert> {
  const { database } = services;
  const now = new Date();
  const before = await findAlert(database, viewer, id);
  const { name = before.name, threshold = before.threshold, windowMinutes = before.windowMinutes } = change;
  const { query = before.query, metric = AlertMetric.parse(before.metric), enabled = before.enabled } = change;
  // What was allowed earlier stays: whoever may not choose it any more can still change the rest.
  const isAskedAnew = change.query !== undefined || change.metric !== undefined;
  const asked = isAskedAnew ? await checkedQuery(database, viewer, { query, metric }) : { query, metric };
  const targets =
    change.targets === undefined ? before.targets : await checkedTargets(database, viewer, change.targets);
  const measures = { ...asked, threshold, windowMinutes, enabled };
  const isSame = (Object.keys(measures) as (keyof typeof measures)[]).every(
    (field) => measures[field] === before[field],
  );
  const restarted = isSame ? {} : await restartedMeasure(services, viewer, measures, now);
  const isOwnOnly = before.isOwnOnly || (!isSame && isNarrower(viewer));
  const data = { name, targets, isOwnOnly, ...measures, ...restarted };
  const [row] = await database.$transaction([
    database.alert.update({ where: { id, ownerId: viewer.id }, data }),
    auditQuery(services, {
      actorId: viewer.id,
      action: "alert.changed",
      target: `alert:${id}`,
      details: { ...change },
    }),
  ]);
  return toAlert(row, viewer);
}

/** Throws `not_found`. */
export async function deleteAlert(services: Services, viewer: Viewer, id: string): Promise<void> {
  const { name } = await findAlert(services.database, viewer, id);
  await services.database.$transaction([
    services.database.alert.deleteMany({ where: { id, ownerId: viewer.id } }),
    auditQuery(services, {
      actorId: viewer.id,
      action: "alert.deleted",
      target: `alert:${id}`,
      details: { name },
    }),
  ]);
}

/** Whether an administrator uses a key that is none. */
function isNarrower(viewer: Viewer): boolean {
  return viewer.role === "admin" && !hasAdminScope(viewer);
}

export function targetsOf(row: Pick<AlertRow, "targets">): AlertTarget[] {
  return Alert.shape.targets.parse(JSON.parse(row.targets));
}

async function findAlert(database: Database, viewer: Viewer, id: string): Promise<AlertRow> {
  const row = await database.alert.findFirst({ where: { id, ownerId: ownerOf(viewer) } });
  if (row === null) throw noAlert();
  return row;
}

/** Throws `not_found` for a limited key. */
function ownerOf({ id, reach }: Viewer): string {
  if (reach !== undefined) throw noAlert();
  return id;
}

function noAlert(): AppError {
  return new AppError("not_found", "There is no such alert.");
}

interface Measures extends Omit<Measured, "armedAt"> {
  readonly threshold: number;
  readonly enabled: boolean;
}

async function restartedMeasure(services: Services, viewer: Viewer, measures: Measures, now: Date) {
  const begun = { armedAt: now, isTold: false, unsent: null };
  if (!measures.enabled) return { ...begun, state: "ok", value: null, checkedAt: null };
  return { ...begun, ...(await measureNow(services, viewer, { ...measures, armedAt: now }, now)) };
}

async function checkedQuery(database: Database, viewer: Viewer, alert: Pick<CreateAlert, "query" | "metric">) {
  const { metric } = alert;
  const query = keptQuery(alert.query, metric);
  const { problemId } = filtersOf(query);
  if (problemId !== undefined && (await findProblem(database, viewer, problemId)) === null)
    throw refused("query", "There is no such problem.");
  return { query, metric };
}

/** As JSON: each once, the inbox always. Throws `invalid_input` for a webhook of somebody who is no administrator. */
async function checkedTargets(database: Database, viewer: Viewer, targets: readonly AlertTarget[]): Promise<string> {
  const webhooks = targets.flatMap((target) => ("webhook" in target ? [target.webhook] : []));
  if (webhooks.length > 0 && !hasAdminScope(viewer))
    throw refused("targets", "Only administrators may send to a webhook.");
  const known = await database.webhook.count({ where: { id: { in: webhooks } } });
  if (known < new Set(webhooks).size) throw refused("targets", "There is no such webhook.");
  const all = [{ notify: true } as const, ...targets].map((target) => [JSON.stringify(target), target] as const);
  return JSON.stringify([...new Map(all).values()]);
}

function refused(path: string, message: string): AppError {
  return new AppError("invalid_input", message, { details: [{ path, message }] });
}

async function measureNow(
  services: Services,
  viewer: Viewer,
  alert: Measured & Pick<AlertRow, "threshold">,
  now: Date,
) {
  const value = await measureAlert(services, viewer, alert, now);
  return { value, state: stateOf(value, alert.threshold), isOfAll: hasAdminScope(viewer), checkedAt: now };
}

export function stateOf(value: number | null, threshold: number): Alert["state"] {
  return value !== null && value > threshold ? "firing" : "ok";
}

/** A value of everybody's runs is only for administrators, also after somebody is none any more. */
function toAlert(row: AlertRow, viewer: Viewer): Alert {
  const isHidden = row.isOfAll && !hasAdminScope(viewer);
  return Alert.parse({
    ...row,
    targets: targetsOf(row),
    value: isHidden ? null : row.value,
    state: isHidden ? "ok" : row.state,
    checkedAt: isHidden ? null : (row.checkedAt?.toISOString() ?? null),
    lastSentAt: row.lastSentAt?.toISOString() ?? null,
  });
}

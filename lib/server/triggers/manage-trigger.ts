import "server-only";
import { AppError } from "@/lib/schema/app-error";
import type { PageQuery } from "@/lib/schema/page-query";
import type { TriggerNoun } from "@/lib/schema/triggers/trigger-noun";
import type { Viewer } from "@/lib/schema/users/user";
import { auditQuery } from "@/lib/server/audit/audit-log";
import { createId } from "@/lib/server/platform/create-id";
import type { Database } from "@/lib/server/platform/db/database";
import { pageOfRows, timeCursors } from "@/lib/server/platform/db/page-of-rows";
import {
  type FiringWithRun,
  selectLatestFirings,
  selectNow,
  type TriggerRow,
} from "@/lib/server/platform/db/queries/dispatch/triggers";
import type { Services } from "@/lib/server/platform/services";
import { ownedBy } from "@/lib/server/platform/within-reach";
import { claim } from "./fire-trigger";
import { startClaimed } from "./start-claimed";
import { type ShownTriggers, TRIGGER_KINDS } from "./trigger-kinds";
import { REFUSED, whyPaused } from "./why-paused";

type Owner = Pick<Viewer, "id" | "scopes" | "reach">;

const ofKind = (noun: TriggerNoun) => ({ kind: { in: [...TRIGGER_KINDS[noun].stored] } });

/** The viewer's triggers of a kind, or all of them for administrators; newest first. */
export async function listTriggers<Noun extends TriggerNoun>(
  services: Services,
  noun: Noun,
  { limit, cursor }: PageQuery,
  viewer: Viewer,
) {
  const rows = await services.database.trigger.findMany({
    where: { ...ofKind(noun), ...ownedBy(viewer), ...timeCursors.behind(cursor, "createdAt", "descending") },
    orderBy: [{ createdAt: "desc" }, { id: "desc" }],
    take: limit + 1,
  });
  const { page, nextCursor } = pageOfRows(rows, limit, ({ createdAt, id }) => timeCursors.write(createdAt, id));
  return { shown: await TRIGGER_KINDS[noun].describe(services, page, new Date()), nextCursor };
}

/** Throws `not_found`, also for another person's. */
export async function getTrigger<Noun extends TriggerNoun>(services: Services, noun: Noun, id: string, viewer: Owner) {
  return describeTrigger(services, noun, await requireTrigger(services, noun, id, viewer));
}

/** A trigger as it is stored now. Throws `not_found` if it is not. */
export async function getStored<Noun extends TriggerNoun>(services: Services, noun: Noun, id: string) {
  const row = await services.database.trigger.findFirst({ where: { id, ...ofKind(noun) } });
  if (!row) throw noSuchTrigger(noun);
  return describeTrigger(services, noun, row);
}

async function describeTrigger<Noun extends TriggerNoun>(
  services: Services,
  noun: Noun,
  row: TriggerRow,
): Promise<ShownTriggers[Noun]> {
  const [shown] = await TRIGGER_KINDS[noun].describe(services, [row], new Date());
  if (shown === undefined) throw noSuchTrigger(noun);
  return shown;
}

/** All of them, for what counts over every page. */
export async function allTriggers(database: Database, noun: TriggerNoun, viewer: Viewer): Promise<TriggerRow[]> {
  return database.trigger.findMany({
    where: { ...ofKind(noun), ...ownedBy(viewer) },
    orderBy: { id: "asc" },
  });
}

/** The viewer's own, or any for administrators. Throws `not_found`, also for another person's. */
export async function requireTrigger(
  services: Services,
  noun: TriggerNoun,
  id: string,
  viewer: Owner,
): Promise<TriggerRow> {
  const row = await services.database.trigger.findFirst({
    where: { id, ...ofKind(noun), ...ownedBy(viewer) },
  });
  if (!row) throw noSuchTrigger(noun);
  return row;
}

export function noSuchTrigger(noun: TriggerNoun): AppError {
  return new AppError("not_found", `There is no such ${noun}.`);
}

/** What an update writes when a person switches the trigger on or off, which ends a pause. */
export function pauseColumns({ enabled }: TriggerRow, wanted: boolean | undefined, now: Date) {
  if (wanted === true) return { failures: 0, pausedReason: null, pausedAt: null };
  return wanted === false && enabled ? { pausedReason: null, pausedAt: now } : {};
}

/** What the audit log says of a deletion. */
interface Deletion {
  readonly actorId: string;
  readonly before: Readonly<Record<string, unknown>>;
}

/** Deletes a trigger; its runs stay, with their threads. */
export async function deleteTrigger(
  services: Services,
  noun: TriggerNoun,
  { id }: TriggerRow,
  { actorId, before }: Deletion,
) {
  await services.database.$transaction([
    services.database.trigger.delete({ where: { id }, select: { id: true } }),
    auditQuery(services, { actorId, action: `${noun}.deleted`, target: `${noun}:${id}`, before }),
  ]);
}

/** How many of the latest firings are looked at for the one that was asked for. */
const LOOKED_AT = 50;

/** Fires it now, with every check except its times and its pause. Throws `conflict`. */
export async function fireNow(
  services: Services,
  noun: TriggerNoun,
  row: TriggerRow,
  viewer: Viewer,
): Promise<FiringWithRun> {
  const { database } = services;
  const { id } = row;
  const paused = await whyPaused(database, row);
  if (paused !== null) throw new AppError("conflict", REFUSED[paused]);
  const now = await selectNow(database);
  const key = `now:${createId("now")}`;
  await database.runAll([claim(id, { dueAt: now, now, key, apiKeyId: viewer.keyId ?? null })]);
  await startClaimed(services, id, now);
  const firing = (await selectLatestFirings(database, [id], LOOKED_AT)).find((known) => known.key === key);
  if (!firing) throw noSuchTrigger(noun);
  return firing;
}

/** The fields that an update names. */
export function given<Fields extends object>(fields: Fields) {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}

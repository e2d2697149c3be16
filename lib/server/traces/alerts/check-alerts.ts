import "server-only";
import { AlertMetric } from "@/lib/schema/traces/alert";
import { filtersOf } from "@/lib/schema/traces/alert-query";
import { effectiveRole, hasAdminScope, Role, type Viewer } from "@/lib/schema/users/user";
import type { Database } from "@/lib/server/platform/db/database";
import { eachAlone } from "@/lib/server/platform/db/each-alone";
import { maskNewTexts } from "@/lib/server/platform/db/queries/search/mask-texts";
import type { Services } from "@/lib/server/platform/services";
import { flushSpans } from "@/lib/server/traces/recorder";
import { roleScopes } from "@/lib/server/users/session";
import { type AlertRow, stateOf } from "./alerts";
import { measureAlert } from "./measure-alert";
import { type AlertMessage, sendAlert } from "./send-alert";

export const ALERTS_EVERY_MS = 60_000;

const HOUR_MS = 3_600_000;
/** In one go; the others, measured longest ago, come first in the next. */
const AT_ONCE = 500;
const LONGEST_MS = 20_000;

/** Whether somebody has alerts that are on. */
export async function hasAlerts(db: Database): Promise<boolean> {
  return (await db.alert.findFirst({ where: { enabled: true }, select: { id: true } })) !== null;
}

/**
 * Measures every alert that is on, with the rights that its person has now, and decides on messages: one when it begins
 * to fire, but at most one in an hour, and one when it has recovered from what was told. Two processes that do so at once
 * decide on one message; one that dies afterwards leaves it to be sent by the next.
 */
export async function checkAlerts(services: Services, now = new Date()): Promise<void> {
  await flushSpans();
  const rows = await services.database.alert.findMany({
    where: { enabled: true, owner: { deactivatedAt: null } },
    include: { owner: { select: { name: true, email: true, role: true, groupRole: true } } },
    orderBy: [{ checkedAt: { sort: "asc", nulls: "first" } }, { id: "asc" }],
    take: AT_ONCE,
  });
  const endMs = performance.now() + LONGEST_MS;
  await eachAlone(rows, "checking an alert", async ({ owner, ...row }) => {
    if (performance.now() > endMs) return;
    const viewer = viewerOf(row, owner);
    if (row.unsent !== null) await sendAlert(services, row, viewer, now);
    await checkAlert(services, row, viewer, now);
  });
}

interface Owner {
  readonly name: string;
  readonly email: string;
  readonly role: string;
  readonly groupRole: string | null;
}

/** The alert's person as they would look at the list now. */
function viewerOf({ ownerId: id, isOwnOnly }: AlertRow, { name, email, ...roles }: Owner): Viewer {
  const role = effectiveRole(
    Role.catch("viewer").parse(roles.role),
    Role.nullable().catch(null).parse(roles.groupRole),
  );
  return { id, name, email, role, scopes: roleScopes(role).filter((scope) => !isOwnOnly || scope !== "admin") };
}

async function checkAlert(services: Services, row: AlertRow, viewer: Viewer, now: Date): Promise<void> {
  if (await isLeftOut(services.database, row)) return;
  const metric = AlertMetric.parse(row.metric);
  const value = await measureAlert(services, viewer, { ...row, metric }, now);
  const state = stateOf(value, row.threshold);
  const isFiring = state === "firing";
  const message = messageOf(row, isFiring, now) ? { isFiring, value, at: now.toISOString() } : null;
  const told = message === null ? {} : toldOf(row, message, now);
  const { count } = await services.database.alert.updateMany({
    // The definition that was measured, and no message that another process has decided on since.
    where: { id: row.id, messages: row.messages, updatedAt: row.updatedAt, enabled: true },
    data: {
      ...{ state, value, isOfAll: hasAdminScope(viewer), checkedAt: now },
      ...told,
      // Only a change of its person's counts as one.
      updatedAt: row.updatedAt,
    },
  });
  if (message === null || count === 0) return;
  await sendAlert(services, { ...row, ...told }, viewer, now);
}

/** More than new messages: the masking rules were changed. */
const MOST_LEFT_OUT = 1_000;

/** Whether a search leaves so much out at the moment that what it measures would say nothing. */
async function isLeftOut(database: Database, { query }: AlertRow): Promise<boolean> {
  return filtersOf(query).q !== undefined && (await maskNewTexts(database)) > MOST_LEFT_OUT;
}

function toldOf({ messages, lastSentAt }: AlertRow, message: AlertMessage, now: Date) {
  return {
    messages: messages + 1,
    isTold: message.isFiring,
    unsent: JSON.stringify(message),
    lastSentAt: message.isFiring ? now : lastSentAt,
  };
}

function messageOf({ isTold, lastSentAt }: AlertRow, isFiring: boolean, now: Date): boolean {
  if (!isFiring) return isTold;
  return !isTold && (lastSentAt === null || now.getTime() - lastSentAt.getTime() >= HOUR_MS);
}

import "server-only";
import { ChannelKind } from "@/lib/schema/channels/channel-credentials";
import {
  type ChangeNotificationsBody,
  NO_NOTIFICATIONS,
  NotificationKind,
  NotificationPreferences,
  type NotificationSettings,
} from "@/lib/schema/users/notification";
import type { Viewer } from "@/lib/schema/users/user";
import { announceSettings } from "@/lib/server/engine/log/signals";
import { auditColumns, changedFields } from "@/lib/server/platform/audit-columns";
import type { Database } from "@/lib/server/platform/db/database";
import { eachAlone } from "@/lib/server/platform/db/each-alone";
import { type Services, serviceState } from "@/lib/server/platform/services";
import { serverTimeZone, timeZoneOfUser } from "@/lib/server/platform/time/user-time-zones";
import { requireWholePerson } from "@/lib/server/platform/within-reach";
import { currentSettings } from "@/lib/server/settings/settings-state";
import { findNoticeLink } from "@/lib/server/triggers/channels/links/last-link";
import { moveHeld } from "./move-held";
import { listDevices } from "./push-devices";
import { vapidKeys } from "./vapid";

interface Chosen {
  readonly preferences: NotificationPreferences;
  /** Earlier events cause no notification. */
  readonly since: Date;
}

/** In-process cache of the people who have switched something on. */
const chosen = serviceState("notification-choices", () => new Map<string, Chosen>());

/** What the person has switched on; undefined if nothing. Costs no query. */
export function chosenBy(services: Services, userId: string): Chosen | undefined {
  return chosen(services).get(userId);
}

export function peopleWithNotifications(services: Services): readonly string[] {
  return [...chosen(services).keys()];
}

/** Called at startup and after a change by any process. */
export async function loadPreferences(services: Services): Promise<void> {
  const rows = await services.database.notificationChoice.findMany({
    where: { isOn: true },
    orderBy: { userId: "asc" },
  });
  const known = chosen(services);
  known.clear();
  await eachAlone(rows, "reading what a person is notified of", async ({ userId, choices, updatedAt }) => {
    known.set(userId, { preferences: readChoices(choices), since: updatedAt });
  });
}

function readChoices(choices: string): NotificationPreferences {
  return NotificationPreferences.parse(JSON.parse(choices));
}

/** The person's choices, read from the database because another process may just have changed them. */
export async function preferencesOf(db: Database, userId: string): Promise<NotificationPreferences> {
  const row = await db.notificationChoice.findUnique({ where: { userId }, select: { choices: true } });
  return row ? readChoices(row.choices) : NO_NOTIFICATIONS;
}

export async function getNotifications(database: Database, viewer: Viewer): Promise<NotificationSettings> {
  requireWholePerson(viewer);
  const [preferences, devices, { publicKey }, chat] = await Promise.all([
    preferencesOf(database, viewer.id),
    listDevices(database, viewer.id),
    vapidKeys(database),
    noticeChat(database, viewer.id),
  ]);
  return {
    ...preferences,
    pausedUntil: runningPause(preferences, new Date()),
    devices,
    timeZone: timeZoneOfUser(viewer.id) ?? null,
    serverTimeZone: serverTimeZone(),
    email: viewer.email,
    canMail: currentSettings().smtp !== null,
    chat,
    pushKey: publicKey,
  };
}

async function noticeChat(db: Database, userId: string): Promise<NotificationSettings["chat"]> {
  const link = await findNoticeLink(db, userId);
  const channel = link && (await db.channel.findUnique({ where: { id: link.channelId } }));
  if (!link || !channel) return null;
  return { kind: ChannelKind.parse(channel.kind), channelName: channel.name, chatName: link.chatName };
}

/** Omitted fields keep their values. Applies to events from now on. */
export async function changeNotifications(
  services: Services,
  body: ChangeNotificationsBody,
  viewer: Viewer,
): Promise<NotificationSettings> {
  const { database } = services;
  requireWholePerson(viewer);
  const before = await preferencesOf(database, viewer.id);
  const now = new Date();
  const after = merge(before, body, now);
  const choices = JSON.stringify(after);
  const isOn = Object.values(after.ways).some((ways) => Object.values(ways).includes(true));
  const data = { choices, isOn, updatedAt: now };
  const target = `user:${viewer.id}`;
  const record = { actorId: viewer.id, action: "notifications.changed", target, ...changedFields(before, after) };
  await database.$transaction([
    database.notificationChoice.upsert({
      where: { userId: viewer.id },
      create: { userId: viewer.id, ...data },
      update: data,
      select: { userId: true },
    }),
    database.auditEntry.create({ data: auditColumns(record), select: { id: true } }),
  ]);
  await loadPreferences(services);
  announceSettings();
  if (body.pauseMinutes !== undefined) await moveHeld(database, viewer.id, after, now);
  return getNotifications(database, viewer);
}

function merge(before: NotificationPreferences, body: ChangeNotificationsBody, now: Date): NotificationPreferences {
  const { ways = {}, how, quietHours = before.quietHours, words = before.words, pauseMinutes } = body;
  const kinds = NotificationKind.options.map((kind) => [kind, { ...before.ways[kind], ...ways[kind] }]);
  return NotificationPreferences.parse({
    ways: Object.fromEntries(kinds),
    how: { ...before.how, ...how },
    quietHours,
    words,
    pausedUntil: pauseMinutes === undefined ? runningPause(before, now) : pauseEnd(pauseMinutes, now),
  });
}

function pauseEnd(minutes: number, now: Date): string | null {
  return minutes === 0 ? null : new Date(now.getTime() + minutes * 60_000).toISOString();
}

/** When the pause ends that has not ended yet. */
function runningPause({ pausedUntil }: NotificationPreferences, now: Date): string | null {
  return pausedUntil !== null && new Date(pausedUntil) > now ? pausedUntil : null;
}

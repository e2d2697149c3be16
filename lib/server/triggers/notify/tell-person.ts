import "server-only";
import { createHash } from "node:crypto";
import type { NoteKind } from "@/lib/schema/inbox/inbox-note";
import { NotificationWay } from "@/lib/schema/users/notification";
import { announceToUser } from "@/lib/server/engine/log/signals";
import { eachAlone } from "@/lib/server/platform/db/each-alone";
import { isTaken } from "@/lib/server/platform/db/errors";
import type { Services } from "@/lib/server/platform/services";
import { queueNotifications } from "./notify-run";
import { chosenBy, peopleWithNotifications, preferencesOf } from "./preferences";

interface PersonEvent {
  readonly ownerId: string;
  readonly kind: NoteKind;
  /** Identical for everyone who sees the same event: it is noted and sent once. */
  readonly key: string;
  readonly title: string;
  readonly detail: string;
  readonly source: string;
  readonly path: string;
  readonly at: Date;
  /** Ways besides those that the person has chosen for the kind. */
  readonly ways?: readonly NotificationWay[];
}

/**
 * Puts something to know into a person's inbox, and notifies them if they have chosen so; does nothing for somebody who
 * has left. Safe to repeat.
 */
export async function tellPerson(services: Services, event: PersonEvent, now = new Date()): Promise<void> {
  const { database } = services;
  const { ownerId: userId, key, at: createdAt, ways = [], ...text } = event;
  const id = `not_${createHash("sha256").update(`${userId} ${key}`).digest("hex").slice(0, 32)}`;
  const [known, person] = await Promise.all([
    database.inboxNote.findUnique({ where: { id }, select: { id: true } }),
    database.user.findFirst({ where: { id: userId, deactivatedAt: null }, select: { id: true } }),
  ]);
  // Nobody sweeps up ways that were not chosen: a repeat queues them, in case the first one died before it could.
  if (!person || (known && ways.length === 0)) return;
  if (!known) {
    try {
      await database.inboxNote.create({ data: { id, userId, ...text, createdAt }, select: { id: true } });
    } catch (error) {
      if (isTaken(error)) return;
      throw error;
    }
    announceToUser(userId, { type: "note.changed" });
  }
  await notifyOfNote(services, { id, userId, kind: event.kind, createdAt, ways }, now);
}

interface Note {
  readonly id: string;
  readonly userId: string;
  readonly kind: string;
  readonly createdAt: Date;
  readonly ways?: readonly NotificationWay[];
}

/** Queues the notifications about a note that its person wants. A repeat queues nothing twice. */
async function notifyOfNote(services: Services, note: Note, now: Date): Promise<void> {
  const { id: noteId, userId: ownerId, createdAt: at, ways = [] } = note;
  const kind = note.kind as NoteKind;
  const chosen = chosenBy(services, ownerId);
  const isChosen = chosen !== undefined && at >= chosen.since;
  if (!isChosen && ways.length === 0) return;
  const preferences = chosen?.preferences ?? (await preferencesOf(services.database, ownerId));
  const wanted = NotificationWay.options.filter(
    (way) => ways.includes(way) || (isChosen && preferences.ways[kind][way]),
  );
  await queueNotifications(services, { runId: "", ownerId, subject: { kind, noteId }, wanted, preferences, at, now });
}

const LOOK_BACK_MS = 24 * 60 * 60_000;
const AT_ONCE = 500;

/** Queues the notifications that a process failed to queue because it died after it had put down the note. */
export async function sweepNotes(services: Services, now = new Date()): Promise<void> {
  const people = peopleWithNotifications(services);
  if (people.length === 0) return;
  const notes = await services.database.inboxNote.findMany({
    where: {
      userId: { in: [...people] },
      doneAt: null,
      createdAt: { gte: new Date(now.getTime() - LOOK_BACK_MS) },
    },
    select: { id: true, userId: true, kind: true, createdAt: true },
    orderBy: [{ createdAt: "desc" }, { id: "desc" }],
    take: AT_ONCE,
  });
  await eachAlone(notes, "notifying of a note", (note) => notifyOfNote(services, note, now));
}

import "server-only";
import { AppError } from "@/lib/schema/app-error";
import { InboxNote, type InboxNoteList } from "@/lib/schema/inbox/inbox-note";
import type { Viewer } from "@/lib/schema/users/user";
import { announceToUser } from "@/lib/server/engine/log/signals";
import type { Database } from "@/lib/server/platform/db/database";

const SHOWN = 100;

/**
 * What the viewer should know of and is not done with, the latest first. Notes are for the person: a key that is limited
 * to some agents has none.
 */
export async function listNotes(database: Database, { id: userId, reach }: Viewer): Promise<InboxNoteList> {
  if (reach) return { notes: [], total: 0 };
  const where = { userId, doneAt: null };
  const [rows, total] = await Promise.all([
    database.inboxNote.findMany({ where, orderBy: [{ createdAt: "desc" }, { id: "desc" }], take: SHOWN }),
    database.inboxNote.count({ where }),
  ]);
  return { notes: rows.map((row) => InboxNote.parse({ ...row, createdAt: row.createdAt.toISOString() })), total };
}

/** Takes a note out of the viewer's inbox, or brings it back. Throws `not_found`. */
export async function changeNote(
  database: Database,
  id: string,
  isDone: boolean,
  { id: userId, reach }: Viewer,
): Promise<void> {
  const doneAt = isDone ? new Date() : null;
  const changed = reach ? null : await database.inboxNote.updateMany({ where: { id, userId }, data: { doneAt } });
  if (!changed?.count) throw new AppError("not_found", "There is no such note.");
  announceToUser(userId, { type: "note.changed" });
}

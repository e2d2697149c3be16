import "server-only";
import { AppError } from "@/lib/schema/app-error";
import type { CreateNoteBody, Note, NoteQuery, UpdateNoteBody } from "@/lib/schema/traces/note";
import { hasAdminScope, type Viewer } from "@/lib/schema/users/user";
import { auditQuery } from "@/lib/server/audit/audit-log";
import { announceToUser } from "@/lib/server/engine/log/signals";
import { createId } from "@/lib/server/platform/create-id";
import type { Database } from "@/lib/server/platform/db/database";
import { foldedText } from "@/lib/server/platform/db/queries/search/fold-texts";
import { maskText } from "@/lib/server/platform/masking";
import type { Services } from "@/lib/server/platform/services";
import { auditTraceAccess } from "@/lib/server/traces/audit-trace-access";
import { flushSpans } from "@/lib/server/traces/recorder";
import { traceNotFound, visibleTo } from "@/lib/server/traces/trace-access";

/** The limit per run. */
const MOST_NOTES = 500;

const TRACE = { id: true, runId: true, threadId: true, ownerId: true } as const;
const WITH_NAMES = { author: { select: { name: true } }, trace: { select: TRACE } } as const;
const OLDEST_FIRST = [{ createdAt: "asc" as const }, { id: "asc" as const }];

/**
 * The notes on a run and its spans, oldest first; those of others are masked. Throws `not_found` for a run whose trace
 * the viewer may not read; an admin's look at another person's is audited.
 */
export async function listNotes(services: Services, viewer: Viewer, { runId }: NoteQuery): Promise<Note[]> {
  const trace = await findTrace(services.database, viewer, runId);
  await auditTraceAccess(services, viewer, trace);
  const where = { traceId: trace.id };
  const rows = await services.database.note.findMany({ where, include: WITH_NAMES, orderBy: OLDEST_FIRST });
  return rows.map((row) => (row.authorId === viewer.id ? toNote(row) : masked(toNote(row))));
}

/** A trace's notes, as its export shows them. */
export async function loadNotes(db: Database, traceId: string): Promise<Note[]> {
  const rows = await db.note.findMany({ where: { traceId }, include: WITH_NAMES, orderBy: OLDEST_FIRST });
  return rows.map((row) => masked(toNote(row)));
}

/** Throws `not_found` for a run or span that the viewer may not read, `conflict` for one note too many. */
export async function createNote(
  database: Database,
  viewer: Viewer,
  { runId, spanId, text }: CreateNoteBody,
): Promise<Note> {
  const trace = await findTrace(database, viewer, runId);
  if (spanId !== undefined) await requireSpan(database, trace.id, spanId);
  if ((await database.note.count({ where: { traceId: trace.id } })) >= MOST_NOTES) {
    throw new AppError("conflict", `This run has ${MOST_NOTES} notes already. Delete some first.`);
  }
  const data = {
    id: createId("note"),
    traceId: trace.id,
    spanId: spanId ?? null,
    ...asSearched(text),
    authorId: viewer.id,
  };
  const row = await database.note.create({ data, include: WITH_NAMES });
  announce(viewer, row);
  return toNote(row);
}

/** Changes the text of the viewer's own note. Throws `not_found` for another person's. */
export async function updateNote(
  database: Database,
  viewer: Viewer,
  id: string,
  { text }: UpdateNoteBody,
): Promise<Note> {
  const where = { id, authorId: viewer.id, trace: visibleTo(viewer) };
  const { count } = await database.note.updateMany({
    where,
    data: { ...asSearched(text), editedAt: new Date() },
  });
  const row = count === 0 ? null : await database.note.findUnique({ where: { id }, include: WITH_NAMES });
  if (!row) throw noteNotFound();
  announce(viewer, row);
  return toNote(row);
}

/**
 * Deletes the viewer's own note, and for administrators anybody's, which is audited without its text. Throws
 * `not_found`.
 */
export async function deleteNote(services: Services, viewer: Viewer, id: string): Promise<void> {
  const author = hasAdminScope(viewer) ? {} : { authorId: viewer.id };
  const where = { id, ...author, trace: visibleTo(viewer) };
  const row = await services.database.note.findFirst({ where, include: WITH_NAMES });
  if (!row) throw noteNotFound();
  const { authorId, trace } = row;
  const details = { authorId, runId: trace.runId };
  const record = auditQuery(services, {
    actorId: viewer.id,
    action: "note.deleted",
    target: `note:${id}`,
    details,
  });
  const remove = services.database.note.deleteMany({ where: { id } });
  await services.database.$transaction([remove, ...(authorId === viewer.id ? [] : [record])]);
  announce(viewer, row);
}

function asSearched(text: string) {
  return { text, folded: foldedText(text) };
}

type TraceOfNote = Readonly<Record<keyof typeof TRACE, string>>;

async function findTrace(database: Database, viewer: Viewer, runId: string): Promise<TraceOfNote> {
  const trace = await database.trace.findFirst({ where: { ...visibleTo(viewer), runId }, select: TRACE });
  if (!trace) throw traceNotFound();
  return trace;
}

async function requireSpan(db: Database, traceId: string, id: string): Promise<void> {
  await flushSpans();
  if (await db.span.findFirst({ where: { id, traceId }, select: { id: true } })) return;
  throw new AppError("not_found", "There is no such span in this run.");
}

function noteNotFound(): AppError {
  return new AppError("not_found", "There is no such note of yours.");
}

/** To the pages of those who certainly look at this run: its owner, the note's author and whoever changed it. */
function announce(viewer: Viewer, { authorId, trace: { ownerId, threadId, runId } }: NoteRow): void {
  for (const userId of new Set([ownerId, authorId, viewer.id])) {
    announceToUser(userId, { type: "trace_note.changed", threadId, runId });
  }
}

function masked(note: Note): Note {
  return { ...note, text: maskText(note.text) };
}

interface NoteRow {
  readonly id: string;
  readonly spanId: string | null;
  readonly text: string;
  readonly authorId: string;
  readonly author: { readonly name: string };
  readonly trace: TraceOfNote;
  readonly createdAt: Date;
  readonly editedAt: Date | null;
}

function toNote({ id, spanId, text, authorId, author, trace, createdAt, editedAt }: NoteRow): Note {
  const times = { createdAt: createdAt.toISOString(), editedAt: editedAt?.toISOString() ?? null };
  return { id, runId: trace.runId, spanId, text, authorId, authorName: author.name, ...times };
}

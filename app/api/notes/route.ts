import { CreateNoteBody, Note, NoteList, NoteQuery } from "@/lib/schema/traces/note";
import { json } from "@/lib/server/http/reply";
import { createNote, listNotes } from "@/lib/server/traces/notes/notes";
import { defineRoute } from "@/lib/server/wiring/route";

export const GET = defineRoute(
  {
    access: "read",
    query: NoteQuery,
    reply: NoteList,
    summary: "The notes of people on a run and its spans, oldest first",
  },
  async ({ services, viewer, query }) =>
    json({ notes: await listNotes(services, viewer, query) }, { schema: NoteList }),
);

export const POST = defineRoute(
  {
    access: "chat",
    body: CreateNoteBody,
    reply: Note,
    status: 201,
    summary: "Write a note, in Markdown, on a run or with `spanId` on one of its spans",
  },
  async ({ services, viewer, body }) =>
    json(await createNote(services.database, viewer, body), { status: 201, schema: Note }),
);

import { z } from "zod";
import { RowId } from "@/lib/schema/page-query";
import { Note, UpdateNoteBody } from "@/lib/schema/traces/note";
import { json, noContent } from "@/lib/server/http/reply";
import { deleteNote, updateNote } from "@/lib/server/traces/notes/notes";
import { defineRoute } from "@/lib/server/wiring/route";

const params = z.object({ noteId: RowId });

export const PATCH = defineRoute(
  { access: "chat", params, body: UpdateNoteBody, reply: Note, summary: "Change the text of a note of yours" },
  async ({ services, viewer, params: { noteId }, body }) =>
    json(await updateNote(services.database, viewer, noteId, body), { schema: Note }),
);

export const DELETE = defineRoute(
  { access: "chat", params, status: 204, summary: "Delete a note of yours; administrators delete anybody's" },
  async ({ services, viewer, params: { noteId } }) => {
    await deleteNote(services, viewer, noteId);
    return noContent();
  },
);

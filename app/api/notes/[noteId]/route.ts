import { z } from "zod";
import { RowId } from "@/lib/schema/page-query";
import { Note, UpdateNoteBody } from "@/lib/schema/traces/note";
import { json, noContent } from "@/lib/server/http/reply";
import { processServices } from "@/lib/server/platform/services";
import { deleteNote, updateNote } from "@/lib/server/traces/notes/notes";
import { defineRoute } from "@/lib/server/wiring/route";

const params = z.object({ noteId: RowId });

export const PATCH = defineRoute(
  { access: "chat", params, body: UpdateNoteBody, reply: Note, summary: "Change the text of a note of yours" },
  async ({ viewer, params: { noteId }, body }) =>
    json(await updateNote(processServices(), viewer, noteId, body), { schema: Note }),
);

export const DELETE = defineRoute(
  { access: "chat", params, status: 204, summary: "Delete a note of yours; administrators delete anybody's" },
  async ({ viewer, params: { noteId } }) => {
    await deleteNote(processServices(), viewer, noteId);
    return noContent();
  },
);

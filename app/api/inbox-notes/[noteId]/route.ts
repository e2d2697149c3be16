import { z } from "zod";
import { ChangeNoteBody } from "@/lib/schema/inbox/inbox-note";
import { RowId } from "@/lib/schema/page-query";
import { noContent } from "@/lib/server/http/reply";
import { changeNote } from "@/lib/server/inbox/notes";
import { defineRoute } from "@/lib/server/wiring/route";

export const PATCH = defineRoute(
  {
    access: "read",
    params: z.object({ noteId: RowId }),
    body: ChangeNoteBody,
    status: 204,
    summary: "Take a note out of your inbox, or bring it back",
  },
  async ({ services, params: { noteId }, body: { done }, viewer }) => {
    await changeNote(services.database, noteId, done, viewer);
    return noContent();
  },
);

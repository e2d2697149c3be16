import { z } from "zod";
import { RowId } from "@/lib/schema/page-query";
import { UndoneRun, UndoPreview, UndoRunBody } from "@/lib/schema/traces/undo";
import { json } from "@/lib/server/http/reply";
import { previewUndo, undoRun } from "@/lib/server/traces/undo/undo-run";
import { defineRoute } from "@/lib/server/wiring/route";

const Reply = z.union([UndoPreview, UndoneRun]);

export const POST = defineRoute(
  {
    access: "chat",
    params: z.object({ runId: RowId }),
    body: UndoRunBody,
    reply: Reply,
    summary: "What undoing a run would do, and, with the token of that, undoing it: all of it or nothing",
  },
  async ({ services, params: { runId }, body, viewer }) =>
    json(
      "preview" in body
        ? await previewUndo(services, runId, viewer)
        : await undoRun(services, runId, body.token, viewer),
      {
        schema: Reply,
      },
    ),
);

import { z } from "zod";
import { RowId } from "@/lib/schema/page-query";
import { RunStreamQuery } from "@/lib/schema/runs/run";
import { readCursor } from "@/lib/server/http/event-stream";
import { requireOwnRun } from "@/lib/server/views/get-run";
import { streamRun } from "@/lib/server/views/stream-run";
import { defineRoute } from "@/lib/server/wiring/route";

export const GET = defineRoute(
  {
    access: "read",
    params: z.object({ runId: RowId }),
    query: RunStreamQuery,
    produces: "text/event-stream",
    summary: "The run as an AI SDK UI message stream: replayed, then live; Last-Event-ID or ?after= resumes",
  },
  async ({ params: { runId }, viewer, request, signal }) =>
    streamRun(await requireOwnRun(runId, viewer.id), { format: "ui", cursor: readCursor(request), signal }),
);

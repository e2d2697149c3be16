import { z } from "zod";
import { RowId } from "@/lib/schema/page-query";
import { RunStreamQuery } from "@/lib/schema/runs/run";
import { readCursor } from "@/lib/server/http/event-stream";
import { openRunStream } from "@/lib/server/views/open-run-stream";
import { defineRoute } from "@/lib/server/wiring/route";

/** A run's events in one of the two formats. */
export function streamRoute(format: "run" | "ui", summary: string) {
  return defineRoute(
    {
      access: "read",
      params: z.object({ runId: RowId }),
      query: RunStreamQuery,
      produces: "text/event-stream",
      summary: `${summary}: replayed, then live; Last-Event-ID or ?after= resumes`,
    },
    ({ services, params: { runId }, viewer, request, signal }) =>
      openRunStream(services, runId, viewer, { format, cursor: readCursor(request), signal }),
  );
}

import { z } from "zod";
import { RowId } from "@/lib/schema/page-query";
import { ThreadStreamQuery } from "@/lib/schema/threads/thread-stream";
import { sentCursor } from "@/lib/server/http/event-stream";
import { streamThread } from "@/lib/server/views/stream-thread";
import { defineRoute } from "@/lib/server/wiring/route";

export const GET = defineRoute(
  {
    access: "read",
    params: z.object({ threadId: RowId }),
    query: ThreadStreamQuery,
    produces: "text/event-stream",
    summary:
      "The thread's runs as AI SDK UI message chunks between data-run-start and data-run-end: the current or last one, then each as it begins; Last-Event-ID or ?after= resumes",
  },
  ({ services, params: { threadId }, viewer, request, signal }) =>
    streamThread(services, { threadId, viewer }, { cursor: sentCursor(request), signal }),
);

import { z } from "zod";
import { RowId } from "@/lib/schema/page-query";
import { QueuePatch, ThreadQueue } from "@/lib/schema/threads/queue";
import { json, noContent } from "@/lib/server/http/reply";
import { changeQueue, removeFromQueue } from "@/lib/server/threads/thread-queue";
import { defineRoute } from "@/lib/server/wiring/route";

const params = z.object({ threadId: RowId, messageId: RowId });

export const PATCH = defineRoute(
  {
    access: "chat",
    params,
    body: QueuePatch,
    reply: ThreadQueue,
    summary:
      "Edit or move a queued message, or make it a steer; 409 once the agent has it. A held one can only be edited",
  },
  async ({ services, params: place, viewer, body }) =>
    json(await changeQueue(services.database, place, viewer, body), { schema: ThreadQueue }),
);

export const DELETE = defineRoute(
  { access: "chat", params, status: 204, summary: "Remove a queued or held message; 409 once the agent has it" },
  async ({ services, params: place, viewer }) => {
    await removeFromQueue(services.database, place, viewer);
    return noContent();
  },
);

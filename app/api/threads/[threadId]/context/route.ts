import { z } from "zod";
import { RowId } from "@/lib/schema/page-query";
import { ThreadContext, ThreadContextQuery } from "@/lib/schema/threads/thread-context";
import { json } from "@/lib/server/http/reply";
import { getThreadContext } from "@/lib/server/threads/context/thread-context";
import { defineRoute } from "@/lib/server/wiring/route";
import { describeRunParts } from "@/lib/server/wiring/run-parts/run-parts";

export const GET = defineRoute(
  {
    access: "read",
    params: z.object({ threadId: RowId }),
    query: ThreadContextQuery,
    reply: ThreadContext,
    summary:
      "What the model would get next in a thread, in tokens by section, and the rules that keep it inside the window",
  },
  async ({ services, params: { threadId }, query, viewer }) =>
    json(await getThreadContext(services, { threadId, query }, viewer, describeRunParts), { schema: ThreadContext }),
);

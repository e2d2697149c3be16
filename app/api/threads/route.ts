import { ThreadList, ThreadSummary } from "@/lib/schema/threads/thread";
import { CreateThreadBody, ThreadQuery } from "@/lib/schema/threads/thread-requests";
import { json } from "@/lib/server/http/reply";
import { accessOf } from "@/lib/server/platform/db/queries/agent-access";
import { createTestThread, createThread } from "@/lib/server/threads/change-thread";
import { listThreads } from "@/lib/server/threads/list/list-threads";
import { defineRoute } from "@/lib/server/wiring/route";

export const GET = defineRoute(
  {
    access: "read",
    query: ThreadQuery,
    reply: ThreadList,
    summary: "List your threads, or those of a project; q also searches the threads of your projects",
  },
  async ({ services, viewer, query }) =>
    json(await listThreads(services.database, viewer, query), { schema: ThreadList }),
);

export const POST = defineRoute(
  {
    access: "chat",
    body: CreateThreadBody,
    reply: ThreadSummary,
    status: 201,
    summary:
      "Start a thread with an agent, also in a project and with files of its own, or with draft: true a test of its draft",
  },
  async ({ services, viewer, body }) => {
    const thread = body.draft
      ? await createTestThread(services, body, viewer)
      : await createThread(services, viewer, body.agentId, { access: accessOf(viewer), place: body });
    return json(thread, { status: 201, schema: ThreadSummary });
  },
);

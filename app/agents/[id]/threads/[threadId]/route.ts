import { z } from "zod";
import { AgentId } from "@/lib/schema/agents/agent-id";
import { AgentState, ClientThreadId } from "@/lib/schema/apis/invoke";
import { json } from "@/lib/server/http/reply";
import { getThreadState } from "@/lib/server/threads/thread-state";
import { defineRoute } from "@/lib/server/wiring/route";

export const GET = defineRoute(
  {
    access: "read",
    params: z.object({ id: AgentId, threadId: ClientThreadId }),
    reply: AgentState,
    summary: "The state of the caller's thread: messages, todos, files, status, usage",
  },
  async ({ services, params: { id, threadId }, viewer }) =>
    json(await getThreadState(services.database, id, threadId, viewer), { schema: AgentState }),
);

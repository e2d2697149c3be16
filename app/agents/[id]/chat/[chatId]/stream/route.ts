import { z } from "zod";
import { AgentId } from "@/lib/schema/agents/agent-id";
import { ClientThreadId } from "@/lib/schema/apis/invoke";
import { openChatStream } from "@/lib/server/views/open-run-stream";
import { defineRoute } from "@/lib/server/wiring/route";

export const GET = defineRoute(
  {
    access: "read",
    params: z.object({ id: AgentId, chatId: ClientThreadId }),
    produces: "text/event-stream",
    summary: "Resume a useChat client: the current run's stream from its start, or 204 when nothing runs",
  },
  ({ services, params: { id: agentId, chatId }, viewer, signal }) =>
    openChatStream(services, { agentId, chatId, viewer, signal }),
);

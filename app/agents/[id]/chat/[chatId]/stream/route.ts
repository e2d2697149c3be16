import { z } from "zod";
import { AgentId } from "@/lib/schema/agents/agent-id";
import { ClientThreadId } from "@/lib/schema/apis/invoke";
import { processServices } from "@/lib/server/platform/services";
import { openChatStream } from "@/lib/server/views/open-run-stream";
import { defineRoute } from "@/lib/server/wiring/route";

export const GET = defineRoute(
  {
    access: "read",
    params: z.object({ id: AgentId, chatId: ClientThreadId }),
    produces: "text/event-stream",
    summary: "Resume a useChat client: the current run's stream from its start, or 204 when nothing runs",
  },
  ({ params: { id: agentId, chatId }, viewer, signal }) =>
    openChatStream(processServices(), { agentId, chatId, viewer, signal }),
);

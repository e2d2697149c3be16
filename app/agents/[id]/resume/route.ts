import { z } from "zod";
import { AgentId } from "@/lib/schema/agents/agent-id";
import { InvokeReply, ResumeBody, StreamQuery } from "@/lib/schema/apis/invoke";
import { resumeAgent } from "@/lib/server/apis/agents/resume-agent";
import { defineRoute } from "@/lib/server/wiring/route";

export const POST = defineRoute(
  {
    access: "chat",
    params: z.object({ id: AgentId }),
    query: StreamQuery,
    body: ResumeBody,
    reply: InvokeReply,
    produces: "text/event-stream",
    summary: "Decide what a waiting run asks and continue it; 409 if it was already decided",
  },
  ({ services, params: { id }, query: { format, version }, viewer, body, signal }) =>
    resumeAgent(services, { agentId: id, version, viewer, body, format, signal }),
);

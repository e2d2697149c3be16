import { z } from "zod";
import { AgentId } from "@/lib/schema/agent-config";
import { InvokeReply, ResumeBody } from "@/lib/schema/invoke";
import { defineRoute } from "@/lib/server/route";
import { resumeAgent } from "@/lib/server/runs/resume-agent";

export const POST = defineRoute(
  {
    access: "chat",
    params: z.object({ id: AgentId }),
    body: ResumeBody,
    reply: InvokeReply,
    summary: "Decide on what a waiting run asks; 409 when the thread's run does not wait",
  },
  ({ params: { id }, viewer, body }) => resumeAgent(id, body.thread_id, viewer.id),
);

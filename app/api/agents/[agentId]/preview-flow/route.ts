import { z } from "zod";
import { FlowPreview } from "@/lib/schema/agents/flow-preview";
import { PreviewBody } from "@/lib/schema/agents/prompt";
import { RowId } from "@/lib/schema/page-query";
import { previewFlow } from "@/lib/server/agents/preview-flow";
import { json } from "@/lib/server/http/reply";
import { defineRoute } from "@/lib/server/wiring/route";

export const POST = defineRoute(
  {
    access: "admin",
    params: z.object({ agentId: RowId }),
    body: PreviewBody,
    reply: FlowPreview,
    summary: "How a message travels through a config: guard, context rules, hooks, models, tools, subagents, ending",
  },
  async ({ services, params: { agentId }, body, viewer }) =>
    json(await previewFlow(services, agentId, body, viewer), { schema: FlowPreview }),
);

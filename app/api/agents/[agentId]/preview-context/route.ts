import { z } from "zod";
import { PreviewBody } from "@/lib/schema/agents/prompt";
import { RowId } from "@/lib/schema/page-query";
import { ContextPreview } from "@/lib/schema/threads/thread-context";
import { json } from "@/lib/server/http/reply";
import { previewContext } from "@/lib/server/threads/context/preview-context";
import { defineRoute } from "@/lib/server/wiring/route";

export const POST = defineRoute(
  {
    access: "admin",
    params: z.object({ agentId: RowId }),
    body: PreviewBody,
    reply: ContextPreview,
    summary: "The window of a config, the rules that keep to it, and how full it is in the agent's latest threads",
  },
  async ({ services, params: { agentId }, body, viewer }) =>
    json(await previewContext(services, agentId, body, viewer), { schema: ContextPreview }),
);

import { z } from "zod";
import { PreviewPromptBody, PromptPreview } from "@/lib/schema/agents/prompt";
import { RowId } from "@/lib/schema/page-query";
import { previewPrompt } from "@/lib/server/agents/prompt/preview-prompt";
import { json } from "@/lib/server/http/reply";
import { defineRoute } from "@/lib/server/wiring/route";
import { describeRunParts } from "@/lib/server/wiring/run-parts/run-parts";

export const POST = defineRoute(
  {
    access: "admin",
    params: z.object({ agentId: RowId }),
    body: PreviewPromptBody,
    reply: PromptPreview,
    summary: "The system prompt of the caller's next run, section by section, its messages and its tools",
  },
  async ({ services, params: { agentId }, body, viewer }) =>
    json(await previewPrompt(services, { agentId, body }, viewer, describeRunParts), { schema: PromptPreview }),
);

import { z } from "zod";
import { PublishDraftBody, PublishedVersion } from "@/lib/schema/agents/agent-draft";
import { RowId } from "@/lib/schema/page-query";
import { publishDraft } from "@/lib/server/agents/drafts/agent-draft";
import { json } from "@/lib/server/http/reply";
import { defineRoute } from "@/lib/server/wiring/route";

export const POST = defineRoute(
  {
    access: "admin",
    params: z.object({ agentId: RowId }),
    body: PublishDraftBody,
    reply: PublishedVersion,
    status: 201,
    summary: "Publish the draft as the next version; 409 when it has changed or is behind",
  },
  async ({ services, params: { agentId }, body, viewer }) =>
    json({ number: await publishDraft(services, agentId, body, viewer) }, { status: 201, schema: PublishedVersion }),
);

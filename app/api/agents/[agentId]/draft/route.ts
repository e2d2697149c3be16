import { z } from "zod";
import { AgentDraft, DraftQuery, SaveDraftBody } from "@/lib/schema/agents/agent-draft";
import { RowId } from "@/lib/schema/page-query";
import { discardDraft, getDraft, saveDraft } from "@/lib/server/agents/drafts/agent-draft";
import { json, noContent } from "@/lib/server/http/reply";
import { defineRoute } from "@/lib/server/wiring/route";

const params = z.object({ agentId: RowId });

export const GET = defineRoute(
  {
    access: "admin",
    params,
    query: DraftQuery,
    reply: AgentDraft,
    summary: "The draft with its problems; without one the published version with revision 0",
  },
  async ({ services, params: { agentId }, query }) =>
    json(await getDraft(services, agentId, query.revision), { schema: AgentDraft }),
);

export const PUT = defineRoute(
  {
    access: "admin",
    params,
    body: SaveDraftBody,
    reply: AgentDraft,
    summary: "Save the draft, valid or not; a config is merged into its YAML; 409 with the draft when it has changed",
  },
  async ({ services, params: { agentId }, body, viewer }) =>
    json(await saveDraft(services, agentId, body, viewer), { schema: AgentDraft }),
);

export const DELETE = defineRoute(
  { access: "admin", params, query: DraftQuery, status: 204, summary: "Discard the draft" },
  async ({ services, params: { agentId }, query, viewer }) => {
    await discardDraft(services, agentId, viewer, query.revision);
    return noContent();
  },
);

import { z } from "zod";
import { AgentDraft } from "@/lib/schema/agents/agent-draft";
import { RestoreVersionBody } from "@/lib/schema/agents/agent-version";
import { RowId, VersionNumber } from "@/lib/schema/page-query";
import { restoreVersion } from "@/lib/server/agents/drafts/agent-draft";
import { json } from "@/lib/server/http/reply";
import { defineRoute } from "@/lib/server/wiring/route";

export const POST = defineRoute(
  {
    access: "admin",
    params: z.object({ agentId: RowId, number: VersionNumber }),
    body: RestoreVersionBody,
    reply: AgentDraft,
    summary: "Make a version, with its prompt files, the draft; nothing is published",
  },
  async ({ services, params: { agentId, number }, body: { revision }, viewer }) =>
    json(await restoreVersion(services, agentId, { number, revision }, viewer), { schema: AgentDraft }),
);

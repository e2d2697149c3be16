import { z } from "zod";
import { PatchHooksBody, PatchHooksReply } from "@/lib/schema/agents/agent-api";
import { RowId } from "@/lib/schema/page-query";
import { patchHooks } from "@/lib/server/agents/change-agent";
import { getAgentInfo } from "@/lib/server/agents/describe-agent";
import { json } from "@/lib/server/http/reply";
import { defineRoute } from "@/lib/server/wiring/route";

export const PATCH = defineRoute(
  {
    access: "admin",
    params: z.object({ id: RowId }),
    body: PatchHooksBody,
    reply: PatchHooksReply,
    summary: "Add, remove or configure hooks and publish a new version",
  },
  async ({ services, params: { id }, body, viewer }) => {
    await patchHooks(services, id, body, viewer);
    const { hooks } = await getAgentInfo(services, id, viewer);
    return json({ agent_id: id, hooks }, { schema: PatchHooksReply });
  },
);

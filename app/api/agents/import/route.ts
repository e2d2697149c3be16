import { ImportAgentsBody, ImportAgentsReply } from "@/lib/schema/agents/agent-api";
import { importAgents } from "@/lib/server/agents/import-agents";
import { json } from "@/lib/server/http/reply";
import { defineRoute } from "@/lib/server/wiring/route";

export const POST = defineRoute(
  {
    access: "admin",
    body: ImportAgentsBody,
    reply: ImportAgentsReply,
    summary: "Create or update the agents of a YAML text; all are checked before the first is written",
  },
  async ({ body, viewer }) => json(await importAgents(body.yaml, viewer.id, body.file), { schema: ImportAgentsReply }),
);

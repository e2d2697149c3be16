import { ImportAgentsBody, ImportAgentsReply } from "@/lib/schema/agents/agent-api";
import { importAgents, planImport } from "@/lib/server/agents/import-agents";
import { json } from "@/lib/server/http/reply";
import { defineRoute } from "@/lib/server/wiring/route";

export const POST = defineRoute(
  {
    access: "admin",
    body: ImportAgentsBody,
    reply: ImportAgentsReply,
    summary: "Create or update the agents of a YAML or JSON text, all or none; with dryRun say what that would do",
  },
  async ({ services, body, viewer }) =>
    json(
      await (body.dryRun
        ? planImport(services, body.yaml, body.file)
        : importAgents(services, body.yaml, viewer.id, body)),
      {
        schema: ImportAgentsReply,
      },
    ),
);

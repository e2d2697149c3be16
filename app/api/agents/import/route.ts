import { ImportAgentsBody, ImportAgentsReply } from "@/lib/schema/agents/agent-api";
import { importAgents, planImport } from "@/lib/server/agents/import-agents";
import { json } from "@/lib/server/http/reply";
import { processServices } from "@/lib/server/platform/services";
import { defineRoute } from "@/lib/server/wiring/route";

export const POST = defineRoute(
  {
    access: "admin",
    body: ImportAgentsBody,
    reply: ImportAgentsReply,
    summary: "Create or update the agents of a YAML or JSON text, all or none; with dryRun say what that would do",
  },
  async ({ body, viewer }) =>
    json(
      await (body.dryRun
        ? planImport(processServices(), body.yaml, body.file)
        : importAgents(processServices(), body.yaml, viewer.id, body)),
      {
        schema: ImportAgentsReply,
      },
    ),
);

import { AgentTemplateList } from "@/lib/schema/agents/agent-activity";
import { listTemplates } from "@/lib/server/agents/templates/agent-templates";
import { json } from "@/lib/server/http/reply";
import { defineRoute } from "@/lib/server/wiring/route";

export const GET = defineRoute(
  { access: "admin", reply: AgentTemplateList, summary: "Configs to begin a new agent with, as YAML" },
  async ({ services }) => json({ templates: await listTemplates(services) }, { schema: AgentTemplateList }),
);

import { ValidateAgentBody, ValidateAgentReply } from "@/lib/schema/agents/agent-api";
import { validateConfig } from "@/lib/server/agents/get-agent-detail";
import { json } from "@/lib/server/http/reply";
import { defineRoute } from "@/lib/server/wiring/route";

export const POST = defineRoute(
  {
    access: "admin",
    body: ValidateAgentBody,
    reply: ValidateAgentReply,
    summary: "List every problem in a config or YAML, without saving it",
  },
  async ({ services, body }) => {
    const problems = await validateConfig(services, body);
    const valid = problems.every(({ severity }) => severity !== "error");
    return json({ valid, problems }, { schema: ValidateAgentReply });
  },
);

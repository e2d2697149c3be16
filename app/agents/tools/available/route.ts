import { AvailableTools } from "@/lib/schema/agents/agent-api";
import { listAvailableTools } from "@/lib/server/agents/list-available";
import { json } from "@/lib/server/http/reply";
import { defineRoute } from "@/lib/server/wiring/route";

export const GET = defineRoute(
  { access: "read", reply: AvailableTools, summary: "Tools that exist here, and which ones a config may name" },
  async ({ services }) => json(await listAvailableTools(services), { schema: AvailableTools }),
);

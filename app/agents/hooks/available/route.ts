import { AvailableHooks } from "@/lib/schema/agents/agent-api";
import { listAvailableHooks } from "@/lib/server/agents/list-available";
import { json } from "@/lib/server/http/reply";
import { defineRoute } from "@/lib/server/wiring/route";

export const GET = defineRoute(
  { access: "read", reply: AvailableHooks, summary: "Hooks that a config may name" },
  async () => json(listAvailableHooks(), { schema: AvailableHooks }),
);

import { z } from "zod";
import { ProviderAgents } from "@/lib/schema/providers/provider-figures";
import { listProviderAgents } from "@/lib/server/agents/list-provider-agents";
import { json } from "@/lib/server/http/reply";
import { defineRoute } from "@/lib/server/wiring/route";

export const GET = defineRoute(
  {
    access: "admin",
    params: z.object({ providerId: z.string() }),
    reply: ProviderAgents,
    summary: "The agents that ask a model of the provider, first or when others fail",
  },
  async ({ services, params: { providerId } }) =>
    json({ agents: await listProviderAgents(services, providerId), nextCursor: null }, { schema: ProviderAgents }),
);

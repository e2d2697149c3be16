import { z } from "zod";
import { agentSchema } from "@/lib/server/agents/agent-schema";
import { json } from "@/lib/server/http/reply";
import { defineRoute } from "@/lib/server/wiring/route";

export const GET = defineRoute(
  {
    access: "read",
    reply: z.record(z.string(), z.unknown()),
    summary: "JSON Schema of an agent's config, for editors",
  },
  async ({ services }) => json(await agentSchema(services)),
);

import { z } from "zod";
import { ListedModels } from "@/lib/schema/provider";
import { json } from "@/lib/server/http/reply";
import { listProviderModels } from "@/lib/server/providers/list-provider-models";
import { defineRoute } from "@/lib/server/wiring/route";

export const GET = defineRoute(
  {
    access: "admin",
    params: z.object({ providerId: z.string() }),
    reply: ListedModels,
    summary: "Ask the provider for its models; each with what is known of its window and price",
  },
  async ({ services, params: { providerId } }) =>
    json({ models: await listProviderModels(services, providerId), nextCursor: null }, { schema: ListedModels }),
);

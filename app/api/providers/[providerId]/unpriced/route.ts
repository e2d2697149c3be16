import { z } from "zod";
import { UnpricedUsage } from "@/lib/schema/providers/provider-figures";
import { json } from "@/lib/server/http/reply";
import { countUnpricedUsage } from "@/lib/server/providers/price-history/price-history";
import { defineRoute } from "@/lib/server/wiring/route";

export const GET = defineRoute(
  {
    access: "admin",
    params: z.object({ providerId: z.string() }),
    query: z.strictObject({ model: z.string().min(1).max(200) }),
    reply: UnpricedUsage,
    summary: "What a price for a model would be applied to: its runs with an unknown cost, and their tokens",
  },
  async ({ services, params: { providerId }, query: { model } }) =>
    json(await countUnpricedUsage(services.database, `${providerId}:${model}`), { schema: UnpricedUsage }),
);

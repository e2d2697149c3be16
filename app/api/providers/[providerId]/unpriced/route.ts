import { z } from "zod";
import { UnpricedUsage } from "@/lib/schema/providers/provider-figures";
import { json } from "@/lib/server/http/reply";
import { database } from "@/lib/server/platform/db/database";
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
  async ({ params: { providerId }, query: { model } }) =>
    json(await countUnpricedUsage(database(), `${providerId}:${model}`), { schema: UnpricedUsage }),
);

import { PriceHistory } from "@/lib/schema/providers/provider-figures";
import { json } from "@/lib/server/http/reply";
import { getPriceHistory } from "@/lib/server/providers/price-history/price-history";
import { defineRoute } from "@/lib/server/wiring/route";

export const GET = defineRoute(
  { access: "admin", reply: PriceHistory, summary: "How far unknown costs were filled in since a price was added" },
  async ({ services }) => json(await getPriceHistory(services.database), { schema: PriceHistory }),
);

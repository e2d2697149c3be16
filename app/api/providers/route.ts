import { ProviderList } from "@/lib/schema/provider";
import { json } from "@/lib/server/http/reply";
import { listProviders } from "@/lib/server/providers/models";
import { defineRoute } from "@/lib/server/wiring/route";

export const GET = defineRoute(
  { access: "read", reply: ProviderList, summary: "Model providers, their models and the default model" },
  async () => json(await listProviders(), { schema: ProviderList }),
);

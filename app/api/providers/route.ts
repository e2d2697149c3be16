import { ProviderList } from "@/lib/schema/provider";
import { listProviders } from "@/lib/server/models";
import { json } from "@/lib/server/reply";
import { defineRoute } from "@/lib/server/route";

export const GET = defineRoute(
  { access: "read", reply: ProviderList, summary: "Model providers, their models and the default model" },
  async () => json(await listProviders(), { schema: ProviderList }),
);

import { Provider, ProviderList } from "@/lib/schema/provider";
import { CreateProviderBody } from "@/lib/schema/providers/provider-requests";
import { json } from "@/lib/server/http/reply";
import { createProvider } from "@/lib/server/providers/change-provider";
import { listProviders } from "@/lib/server/providers/list-providers";
import { defineRoute } from "@/lib/server/wiring/route";

export const GET = defineRoute(
  { access: "read", reply: ProviderList, summary: "Model providers, their models and the default model" },
  async ({ services, viewer }) => json(await listProviders(services, viewer), { schema: ProviderList }),
);

export const POST = defineRoute(
  { access: "admin", body: CreateProviderBody, reply: Provider, status: 201, summary: "Add a model provider" },
  async ({ services, body, viewer }) =>
    json(await createProvider(services, body, viewer), { status: 201, schema: Provider }),
);

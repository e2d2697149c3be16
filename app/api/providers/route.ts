import { Provider, ProviderList } from "@/lib/schema/provider";
import { CreateProviderBody } from "@/lib/schema/providers/provider-requests";
import { json } from "@/lib/server/http/reply";
import { processServices } from "@/lib/server/platform/services";
import { createProvider } from "@/lib/server/providers/change-provider";
import { listProviders } from "@/lib/server/providers/list-providers";
import { defineRoute } from "@/lib/server/wiring/route";

export const GET = defineRoute(
  { access: "read", reply: ProviderList, summary: "Model providers, their models and the default model" },
  async ({ viewer }) => json(await listProviders(processServices(), viewer), { schema: ProviderList }),
);

export const POST = defineRoute(
  { access: "admin", body: CreateProviderBody, reply: Provider, status: 201, summary: "Add a model provider" },
  async ({ body, viewer }) =>
    json(await createProvider(processServices(), body, viewer), { status: 201, schema: Provider }),
);

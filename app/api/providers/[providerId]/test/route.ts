import { z } from "zod";
import { ProviderTest } from "@/lib/schema/provider";
import { TestProviderBody } from "@/lib/schema/providers/provider-requests";
import { json } from "@/lib/server/http/reply";
import { testProvider } from "@/lib/server/providers/test-provider";
import { defineRoute } from "@/lib/server/wiring/route";

export const POST = defineRoute(
  {
    access: "admin",
    params: z.object({ providerId: z.string() }),
    body: TestProviderBody,
    reply: ProviderTest,
    summary: "A real call to a model of the provider; a failed one is a result with the provider's words",
  },
  async ({ services, params: { providerId }, body, viewer, signal }) =>
    json(await testProvider(services, providerId, { model: body?.model, signal }, viewer), {
      schema: ProviderTest,
    }),
);

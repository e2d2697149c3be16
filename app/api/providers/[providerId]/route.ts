import { z } from "zod";
import { Provider } from "@/lib/schema/provider";
import { ChangeProviderBody } from "@/lib/schema/providers/provider-requests";
import { json, noContent } from "@/lib/server/http/reply";
import { changeProvider, deleteProvider } from "@/lib/server/providers/change-provider";
import { getProvider } from "@/lib/server/providers/list-providers";
import { defineRoute } from "@/lib/server/wiring/route";

const params = z.object({ providerId: z.string() });

export const GET = defineRoute(
  { access: "admin", params, reply: Provider, summary: "A model provider; its key is never shown" },
  async ({ services, params: { providerId } }) => json(await getProvider(services, providerId), { schema: Provider }),
);

export const PATCH = defineRoute(
  {
    access: "admin",
    params,
    body: ChangeProviderBody,
    reply: Provider,
    summary: "Change a model provider; the next run uses it. One of the environment is 409",
  },
  async ({ services, params: { providerId }, body, viewer }) =>
    json(await changeProvider(services, providerId, body, viewer), { schema: Provider }),
);

export const DELETE = defineRoute(
  { access: "admin", params, status: 204, summary: "Delete a model provider; its runs keep their tokens and cost" },
  async ({ services, params: { providerId }, viewer }) => {
    await deleteProvider(services, providerId, viewer);
    return noContent();
  },
);

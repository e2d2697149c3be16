import { ModelDefaults } from "@/lib/schema/providers/provider-figures";
import { ChangeModelDefaultsBody } from "@/lib/schema/providers/provider-requests";
import { json } from "@/lib/server/http/reply";
import { changeModelDefaults, getModelDefaults } from "@/lib/server/providers/model-defaults";
import { defineRoute } from "@/lib/server/wiring/route";

export const GET = defineRoute(
  {
    access: "admin",
    reply: ModelDefaults,
    summary: "Which model answers where an agent names none, and its fallbacks",
  },
  async ({ services }) => json(await getModelDefaults(services), { schema: ModelDefaults }),
);

export const PATCH = defineRoute(
  {
    access: "admin",
    body: ChangeModelDefaultsBody,
    reply: ModelDefaults,
    summary: "Choose the model for agents that name none, and what is asked when it fails",
  },
  async ({ services, body, viewer }) =>
    json(await changeModelDefaults(services, body, viewer), { schema: ModelDefaults }),
);

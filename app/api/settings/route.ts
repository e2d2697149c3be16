import { ChangeSettingsBody, Settings } from "@/lib/schema/settings/settings";
import { json } from "@/lib/server/http/reply";
import { changeSettings } from "@/lib/server/settings/change-settings";
import { getSettings } from "@/lib/server/settings/settings";
import { defineRoute } from "@/lib/server/wiring/route";

export const GET = defineRoute(
  { access: "admin", reply: Settings, summary: "The settings in force, and which of them the environment decides" },
  async () => json(await getSettings(), { schema: Settings }),
);

export const PATCH = defineRoute(
  {
    access: "admin",
    body: ChangeSettingsBody,
    reply: Settings,
    summary: "Change settings; every process acts by them at once",
  },
  async ({ services, body, viewer }) => json(await changeSettings(services, body, viewer), { schema: Settings }),
);

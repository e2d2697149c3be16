import { ChangeOidcBody, OidcSettings } from "@/lib/schema/users/oidc";
import { json, noContent } from "@/lib/server/http/reply";
import { changeOidc, getOidcSettings, removeOidc } from "@/lib/server/users/oidc/oidc-settings";
import { defineRoute } from "@/lib/server/wiring/route";

export const GET = defineRoute(
  { access: "admin", reply: OidcSettings, summary: "How people sign in through an identity provider" },
  async ({ services }) => json(await getOidcSettings(services.database), { schema: OidcSettings }),
);

export const PATCH = defineRoute(
  {
    access: "admin",
    body: ChangeOidcBody,
    reply: OidcSettings,
    summary: "Set up or change sign-in through an identity provider; the client secret is write-only",
  },
  async ({ services, body, viewer }) =>
    json(await changeOidc(services.database, body, viewer), { schema: OidcSettings }),
);

export const DELETE = defineRoute(
  { access: "admin", status: 204, summary: "End sign-in through the identity provider" },
  async ({ services, viewer }) => {
    await removeOidc(services.database, viewer);
    return noContent();
  },
);

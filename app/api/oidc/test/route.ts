import { OidcTest } from "@/lib/schema/users/oidc";
import { json } from "@/lib/server/http/reply";
import { testOidc } from "@/lib/server/users/oidc/oidc-settings";
import { defineRoute } from "@/lib/server/wiring/route";

export const POST = defineRoute(
  { access: "admin", reply: OidcTest, summary: "Ask the identity provider whether it is the issuer that was set" },
  async ({ services }) => json(await testOidc(services.database), { schema: OidcTest }),
);

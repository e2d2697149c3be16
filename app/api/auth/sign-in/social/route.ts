import { StartedOidc, StartOidcBody } from "@/lib/schema/users/oidc";
import { jsonWithCookies } from "@/lib/server/http/reply";
import { startOidc } from "@/lib/server/users/oidc/oidc-sign-in";
import { defineRoute } from "@/lib/server/wiring/route";

export const POST = defineRoute(
  {
    access: "public",
    body: StartOidcBody,
    reply: StartedOidc,
    summary: "Begin to sign in at the identity provider: where the browser goes next; 404 while none is set up",
  },
  async ({ services, body, request }) => {
    const { url, setCookie } = await startOidc(services, body.callbackURL, request.headers);
    return jsonWithCookies({ url }, setCookie);
  },
);

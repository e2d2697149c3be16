import { z } from "zod";
import { finishOidc } from "@/lib/server/users/oidc/oidc-sign-in";
import { defineRoute } from "@/lib/server/wiring/route";

/** The parameters an identity provider may send back; they are checked against what the browser was sent with. */
const Query = z.looseObject({ code: z.string().optional(), state: z.string().optional() });

export const GET = defineRoute(
  {
    access: "public",
    query: Query,
    status: 302,
    produces: "text/html",
    summary: "The identity provider's answer: signs the person in, or leads back to the sign-in page with an error",
  },
  async ({ services, request }) => finishOidc(services, request),
);

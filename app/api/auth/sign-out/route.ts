import { z } from "zod";
import { jsonWithCookies } from "@/lib/server/http/reply";
import { signOut } from "@/lib/server/users/sign-in";
import { defineRoute } from "@/lib/server/wiring/route";

export const POST = defineRoute(
  { access: "public", reply: z.object({ ok: z.literal(true) }), summary: "End the cookie's session" },
  async ({ services, request }) => {
    const { setCookie } = await signOut(services, request.headers);
    return jsonWithCookies({ ok: true }, setCookie);
  },
);

import { z } from "zod";
import { signOut } from "@/lib/server/auth/sign-in";
import { jsonWithCookies } from "@/lib/server/reply";
import { defineRoute } from "@/lib/server/route";

export const POST = defineRoute(
  { access: "public", reply: z.object({ ok: z.literal(true) }), summary: "End the cookie's session" },
  async ({ request }) => {
    const { setCookie } = await signOut(request.headers);
    return jsonWithCookies({ ok: true }, setCookie);
  },
);

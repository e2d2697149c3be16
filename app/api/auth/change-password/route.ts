import { z } from "zod";
import { ChangePasswordBody } from "@/lib/schema/users/user";
import { jsonWithCookies } from "@/lib/server/http/reply";
import { changePassword } from "@/lib/server/users/sign-in";
import { defineRoute } from "@/lib/server/wiring/route";

export const POST = defineRoute(
  {
    access: "read",
    body: ChangePasswordBody,
    reply: z.object({ ok: z.literal(true) }),
    summary: "Change your own password; ends every other session",
  },
  async ({ services, body, viewer, request }) => {
    const { setCookie } = await changePassword(services, body, viewer.id, request.headers);
    return jsonWithCookies({ ok: true }, setCookie);
  },
);

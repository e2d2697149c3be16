import { z } from "zod";
import { SignInBody } from "@/lib/schema/users/user";
import { jsonWithCookies } from "@/lib/server/http/reply";
import { signIn } from "@/lib/server/users/sign-in";
import { defineRoute } from "@/lib/server/wiring/route";

export const POST = defineRoute(
  {
    access: "public",
    body: SignInBody,
    reply: z.object({ userId: z.string() }),
    summary: "Sign in; the reply sets the session cookie",
  },
  async ({ services, body, request }) => {
    const { userId, setCookie } = await signIn(services, body, request.headers);
    return jsonWithCookies({ userId }, setCookie);
  },
);

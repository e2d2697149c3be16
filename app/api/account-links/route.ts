import { z } from "zod";
import { UseLinkBody } from "@/lib/schema/users/account-link";
import { json } from "@/lib/server/http/reply";
import { followLink } from "@/lib/server/users/account-links";
import { defineRoute } from "@/lib/server/wiring/route";

const Reply = z.object({ email: z.string() });

export const POST = defineRoute(
  {
    access: "public",
    body: UseLinkBody,
    reply: Reply,
    status: 201,
    summary: "Use an invitation or a password link: make the account, or set the password",
  },
  async ({ services, body, request }) =>
    json(await followLink(services, body, request.headers), { status: 201, schema: Reply }),
);

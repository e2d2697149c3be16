import { noContent } from "@/lib/server/http/reply";
import { revokeOtherSessions } from "@/lib/server/users/sign-in";
import { defineRoute } from "@/lib/server/wiring/route";

export const POST = defineRoute(
  { access: "read", status: 204, summary: "End every other session of the cookie's user" },
  async ({ services, viewer, request }) => {
    await revokeOtherSessions(services, viewer.id, request.headers);
    return noContent();
  },
);

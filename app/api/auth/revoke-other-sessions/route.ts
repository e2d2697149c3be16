import { noContent } from "@/lib/server/http/reply";
import { defineRoute } from "@/lib/server/http/route";
import { revokeOtherSessions } from "@/lib/server/users/sign-in";

export const POST = defineRoute(
  { access: "read", status: 204, summary: "End every other session of the cookie's user" },
  async ({ viewer, request }) => {
    await revokeOtherSessions(viewer.id, request.headers);
    return noContent();
  },
);

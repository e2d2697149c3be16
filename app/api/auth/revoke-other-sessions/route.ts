import { revokeOtherSessions } from "@/lib/server/auth/sign-in";
import { noContent } from "@/lib/server/reply";
import { defineRoute } from "@/lib/server/route";

export const POST = defineRoute(
  { access: "read", status: 204, summary: "End every other session of the cookie's user" },
  async ({ viewer, request }) => {
    await revokeOtherSessions(viewer.id, request.headers);
    return noContent();
  },
);

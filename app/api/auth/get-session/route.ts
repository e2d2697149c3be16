import { SessionReply } from "@/lib/schema/users/user";
import { json } from "@/lib/server/http/reply";
import { findSessionViewer } from "@/lib/server/users/session";
import { defineRoute } from "@/lib/server/wiring/route";

export const GET = defineRoute(
  { access: "public", reply: SessionReply, summary: "The viewer of the session cookie; null without one" },
  async ({ services, request }) =>
    json({ user: await findSessionViewer(services, request.headers) }, { schema: SessionReply }),
);

import { SessionReply } from "@/lib/schema/user";
import { json } from "@/lib/server/http/reply";
import { defineRoute } from "@/lib/server/http/route";
import { findSessionViewer } from "@/lib/server/users/session";

export const GET = defineRoute(
  { access: "public", reply: SessionReply, summary: "The viewer of the session cookie; null without one" },
  async ({ request }) => json({ user: await findSessionViewer(request.headers) }, { schema: SessionReply }),
);

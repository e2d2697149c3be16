import { SessionReply } from "@/lib/schema/user";
import { json } from "@/lib/server/reply";
import { defineRoute } from "@/lib/server/route";
import { findSessionViewer } from "@/lib/server/session";

export const GET = defineRoute(
  { access: "public", reply: SessionReply, summary: "The viewer of the session cookie; null without one" },
  async ({ request }) => json({ user: await findSessionViewer(request.headers) }, { schema: SessionReply }),
);

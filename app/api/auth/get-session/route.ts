import { SessionReply } from "@/lib/schema/users/user";
import { json } from "@/lib/server/http/reply";
import { processServices } from "@/lib/server/platform/services";
import { findSessionViewer } from "@/lib/server/users/session";
import { defineRoute } from "@/lib/server/wiring/route";

export const GET = defineRoute(
  { access: "public", reply: SessionReply, summary: "The viewer of the session cookie; null without one" },
  async ({ request }) =>
    json({ user: await findSessionViewer(processServices(), request.headers) }, { schema: SessionReply }),
);

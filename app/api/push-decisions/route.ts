import { PushDecisionBody, PushDecisionReply } from "@/lib/schema/users/notification";
import { json } from "@/lib/server/http/reply";
import { decideByPush } from "@/lib/server/inbox/decide-by-push";
import { defineRoute } from "@/lib/server/wiring/route";

export const POST = defineRoute(
  {
    access: "public",
    body: PushDecisionBody,
    reply: PushDecisionReply,
    summary: "Allow or deny by a button of a push: its token is good once, for 24 hours; 409 if already decided",
  },
  async ({ services, body, request }) =>
    json(await decideByPush(services, body, request.headers), { schema: PushDecisionReply }),
);

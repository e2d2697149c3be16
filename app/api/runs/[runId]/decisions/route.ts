import { z } from "zod";
import { DecisionsBody, DecisionsReply } from "@/lib/schema/interrupt";
import { RowId } from "@/lib/schema/page-query";
import { decide } from "@/lib/server/approvals/decide";
import { json } from "@/lib/server/reply";
import { defineRoute } from "@/lib/server/route";

export const POST = defineRoute(
  {
    access: "chat",
    params: z.object({ runId: RowId }),
    body: DecisionsBody,
    reply: DecisionsReply,
    summary: "Decide on calls that wait for a person, all or none; a decision already taken is 409",
  },
  async ({ params: { runId }, viewer, body }) =>
    json(await decide(runId, viewer.id, body.decisions), { schema: DecisionsReply }),
);

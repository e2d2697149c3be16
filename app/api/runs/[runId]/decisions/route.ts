import { z } from "zod";
import { RowId } from "@/lib/schema/page-query";
import { DecisionsBody, DecisionsReply } from "@/lib/schema/runs/interrupt";
import { hasAdminScope } from "@/lib/schema/users/user";
import { json } from "@/lib/server/http/reply";
import { decideOnRun } from "@/lib/server/inbox/decide-on-run";
import { defineRoute } from "@/lib/server/wiring/route";

export const POST = defineRoute(
  {
    access: "chat",
    params: z.object({ runId: RowId }),
    body: DecisionsBody,
    reply: DecisionsReply,
    summary:
      "Decide calls of the run and its subagents that are waiting for a person, all or none; 409 if already decided",
  },
  async ({ services, params: { runId }, viewer, body, request }) => {
    const via = request.headers.has("authorization") ? "api" : (body.via ?? "page");
    const decider = { ...viewer, via, isAdmin: hasAdminScope(viewer) } as const;
    return json(await decideOnRun(services, { runId, decider, decisions: body.decisions }), {
      schema: DecisionsReply,
    });
  },
);

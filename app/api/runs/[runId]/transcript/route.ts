import { z } from "zod";
import { RowId } from "@/lib/schema/page-query";
import { RunTranscript } from "@/lib/schema/runs/run-transcript";
import { json } from "@/lib/server/http/reply";
import { getTranscript } from "@/lib/server/threads/get-transcript";
import { defineRoute } from "@/lib/server/wiring/route";

export const GET = defineRoute(
  {
    access: "read",
    params: z.object({ runId: RowId }),
    reply: RunTranscript,
    summary: "The stored messages of one run, such as a subagent's",
  },
  async ({ services, params: { runId }, viewer }) =>
    json(await getTranscript(services.database, runId, viewer), { schema: RunTranscript }),
);

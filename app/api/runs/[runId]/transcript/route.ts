import { z } from "zod";
import { RowId } from "@/lib/schema/page-query";
import { RunTranscript } from "@/lib/schema/runs/run-transcript";
import { json } from "@/lib/server/http/reply";
import { processServices } from "@/lib/server/platform/services";
import { getTranscript } from "@/lib/server/threads/get-transcript";
import { defineRoute } from "@/lib/server/wiring/route";

export const GET = defineRoute(
  {
    access: "read",
    params: z.object({ runId: RowId }),
    reply: RunTranscript,
    summary: "The stored messages of one run, such as a subagent's",
  },
  async ({ params: { runId }, viewer }) =>
    json(await getTranscript(processServices(), runId, viewer), { schema: RunTranscript }),
);

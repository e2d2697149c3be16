import { z } from "zod";
import { RowId } from "@/lib/schema/page-query";
import { RunTranscript } from "@/lib/schema/run-transcript";
import { json } from "@/lib/server/reply";
import { defineRoute } from "@/lib/server/route";
import { getTranscript } from "@/lib/server/runs/get-transcript";

export const GET = defineRoute(
  {
    access: "read",
    params: z.object({ runId: RowId }),
    reply: RunTranscript,
    summary: "The stored messages of one run, such as a subagent's",
  },
  async ({ params: { runId }, viewer }) => json(await getTranscript(runId, viewer), { schema: RunTranscript }),
);

import { z } from "zod";
import { RowId } from "@/lib/schema/page-query";
import { RunTranscript } from "@/lib/schema/run-transcript";
import { json } from "@/lib/server/http/reply";
import { defineRoute } from "@/lib/server/http/route";
import { getTranscript } from "@/lib/server/threads/get-transcript";

export const GET = defineRoute(
  {
    access: "read",
    params: z.object({ runId: RowId }),
    reply: RunTranscript,
    summary: "The stored messages of one run, such as a subagent's",
  },
  async ({ params: { runId }, viewer }) => json(await getTranscript(runId, viewer), { schema: RunTranscript }),
);

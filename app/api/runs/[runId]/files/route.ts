import { z } from "zod";
import { RunFiles } from "@/lib/schema/files/workspace-file";
import { RowId } from "@/lib/schema/page-query";
import { listRunFiles } from "@/lib/server/file-access/run-files";
import { json } from "@/lib/server/http/reply";
import { defineRoute } from "@/lib/server/wiring/route";

export const GET = defineRoute(
  {
    access: "read",
    params: z.object({ runId: RowId }),
    reply: RunFiles,
    summary: "The files that one run wrote, such as a subagent's, and whose workspace they lie in",
  },
  async ({ services, params: { runId }, viewer }) =>
    json(await listRunFiles(services.database, runId, viewer), { schema: RunFiles }),
);

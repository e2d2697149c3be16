import { z } from "zod";
import { RunFiles } from "@/lib/schema/files/workspace-file";
import { RowId } from "@/lib/schema/page-query";
import { listRunFiles } from "@/lib/server/file-access/run-files";
import { json } from "@/lib/server/http/reply";
import { database } from "@/lib/server/platform/db/database";
import { defineRoute } from "@/lib/server/wiring/route";

export const GET = defineRoute(
  {
    access: "read",
    params: z.object({ runId: RowId }),
    reply: RunFiles,
    summary: "The files that one run wrote, such as a subagent's, and whose workspace they lie in",
  },
  async ({ params: { runId }, viewer }) => json(await listRunFiles(database(), runId, viewer), { schema: RunFiles }),
);

import { z } from "zod";
import { RowId } from "@/lib/schema/page-query";
import { RunStateFileQuery } from "@/lib/schema/traces/run-state";
import { download } from "@/lib/server/http/reply";
import { getStateFile } from "@/lib/server/traces/state/run-state";
import { defineRoute } from "@/lib/server/wiring/route";

export const GET = defineRoute(
  {
    access: "read",
    params: z.object({ runId: RowId }),
    query: RunStateFileQuery,
    produces: "application/octet-stream",
    summary: "The bytes of a file as it was when one step of a run began",
  },
  async ({ services, params: { runId }, query: { step, path }, viewer }) =>
    download(await getStateFile(services, viewer, { runId, step, path }), {
      fileName: path.split("/").at(-1) ?? "file",
    }),
);

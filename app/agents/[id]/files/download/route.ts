import { z } from "zod";
import { AgentFileQuery } from "@/lib/schema/files/workspace-file";
import { RowId } from "@/lib/schema/page-query";
import { openAgentFiles, readBytes } from "@/lib/server/file-access/user-files";
import { download } from "@/lib/server/http/reply";
import { defineRoute } from "@/lib/server/wiring/route";

export const GET = defineRoute(
  {
    access: "read",
    params: z.object({ id: RowId }),
    query: AgentFileQuery,
    produces: "application/octet-stream",
    summary: "Download a file of the caller's own workspace",
  },
  async ({ services, params: { id }, query, viewer }) => {
    const files = await openAgentFiles(services, id, viewer, query);
    const bytes = await readBytes(files, query.path);
    return download(bytes, { fileName: query.path.split("/").at(-1) ?? "file" });
  },
);

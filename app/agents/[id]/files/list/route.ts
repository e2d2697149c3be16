import { z } from "zod";
import { AgentFileQuery, FileList } from "@/lib/schema/files/workspace-file";
import { RowId } from "@/lib/schema/page-query";
import { listFolder, openAgentFiles } from "@/lib/server/file-access/user-files";
import { json } from "@/lib/server/http/reply";
import { defineRoute } from "@/lib/server/wiring/route";

export const GET = defineRoute(
  {
    access: "read",
    params: z.object({ id: RowId }),
    query: AgentFileQuery,
    reply: FileList,
    summary: "List a folder of the caller's own workspace",
  },
  async ({ services, params: { id }, query, viewer }) => {
    const files = await openAgentFiles(services, id, viewer, query);
    return json(await listFolder(files, query.path), { schema: FileList });
  },
);

import { z } from "zod";
import { AgentFileQuery, FileText } from "@/lib/schema/files/workspace-file";
import { RowId } from "@/lib/schema/page-query";
import { openAgentFiles, readText } from "@/lib/server/file-access/user-files";
import { json } from "@/lib/server/http/reply";
import { defineRoute } from "@/lib/server/wiring/route";

export const GET = defineRoute(
  {
    access: "read",
    params: z.object({ id: RowId }),
    query: AgentFileQuery,
    reply: FileText,
    summary: "Read a text file of the caller's own workspace",
  },
  async ({ services, params: { id }, query, viewer }) => {
    const files = await openAgentFiles(services, id, viewer, query);
    return json(await readText(files, query.path), { schema: FileText });
  },
);

import { z } from "zod";
import { ThreadFileQuery } from "@/lib/schema/files/workspace-file";
import { RowId } from "@/lib/schema/page-query";
import { archiveFolder } from "@/lib/server/file-access/archive-folder";
import { openThreadFiles } from "@/lib/server/file-access/user-files";
import { download } from "@/lib/server/http/reply";
import { defineRoute } from "@/lib/server/wiring/route";

export const GET = defineRoute(
  {
    access: "read",
    params: z.object({ threadId: RowId }),
    query: ThreadFileQuery,
    produces: "application/octet-stream",
    summary: "A folder of the thread's workspace with everything in it, as a zip",
  },
  async ({ services, params: { threadId }, query: { path }, viewer }) => {
    const files = await openThreadFiles(services, threadId, viewer);
    const name = files.normalize(path).split("/").filter(Boolean).at(-1) ?? "workspace";
    return download(await archiveFolder(files, path), { fileName: `${name}.zip` });
  },
);

import { z } from "zod";
import { FileContentQuery } from "@/lib/schema/files/workspace-file";
import { RowId } from "@/lib/schema/page-query";
import { readFileBytes } from "@/lib/server/file-access/file-versions";
import { openThreadFiles } from "@/lib/server/file-access/user-files";
import { download } from "@/lib/server/http/reply";
import { defineRoute } from "@/lib/server/wiring/route";

export const GET = defineRoute(
  {
    access: "read",
    params: z.object({ threadId: RowId }),
    query: FileContentQuery,
    produces: "application/octet-stream",
    summary: "The bytes of a file of the thread's workspace, now or at a version",
  },
  async ({ services, params: { threadId }, query: { path, version }, viewer }) => {
    const bytes = await readFileBytes(
      services.database,
      await openThreadFiles(services, threadId, viewer),
      path,
      version,
    );
    return download(bytes, { fileName: path.split("/").at(-1) ?? "file" });
  },
);

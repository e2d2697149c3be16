import { z } from "zod";
import { RequiredPathQuery } from "@/lib/schema/files/workspace-file";
import { RowId } from "@/lib/schema/page-query";
import { openProjectFiles, readBytes } from "@/lib/server/file-access/user-files";
import { download } from "@/lib/server/http/reply";
import { defineRoute } from "@/lib/server/wiring/route";

export const GET = defineRoute(
  {
    access: "read",
    params: z.object({ projectId: RowId }),
    query: RequiredPathQuery,
    produces: "application/octet-stream",
    summary: "The bytes of a file of a project",
  },
  async ({ services, params: { projectId }, query: { path }, viewer }) => {
    const bytes = await readBytes(await openProjectFiles(services.database, projectId, viewer), path);
    return download(bytes, { fileName: path.split("/").at(-1) ?? "file" });
  },
);

import { z } from "zod";
import { FileVersionList, RequiredPathQuery } from "@/lib/schema/files/workspace-file";
import { RowId } from "@/lib/schema/page-query";
import { listVersions } from "@/lib/server/file-access/file-versions";
import { openThreadFiles } from "@/lib/server/file-access/user-files";
import { json } from "@/lib/server/http/reply";
import { defineRoute } from "@/lib/server/wiring/route";

export const GET = defineRoute(
  {
    access: "read",
    params: z.object({ threadId: RowId }),
    query: RequiredPathQuery,
    reply: FileVersionList,
    summary: "The versions of a file, newest first",
  },
  async ({ services, params: { threadId }, query, viewer }) => {
    const files = await openThreadFiles(services, threadId, viewer);
    const path = files.normalize(query.path);
    return json(
      { path, versions: await listVersions(services.database, files, path, viewer) },
      { schema: FileVersionList },
    );
  },
);

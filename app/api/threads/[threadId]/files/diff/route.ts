import { z } from "zod";
import { FileDiff, FileDiffQuery } from "@/lib/schema/files/workspace-file";
import { RowId } from "@/lib/schema/page-query";
import { diffVersions } from "@/lib/server/file-access/file-versions";
import { openThreadFiles } from "@/lib/server/file-access/user-files";
import { json } from "@/lib/server/http/reply";
import { defineRoute } from "@/lib/server/wiring/route";

export const GET = defineRoute(
  {
    access: "read",
    params: z.object({ threadId: RowId }),
    query: FileDiffQuery,
    reply: FileDiff,
    summary: "What changed between two versions of a file",
  },
  async ({ services, params: { threadId }, query: { path, ...range }, viewer }) => {
    const files = await openThreadFiles(services, threadId, viewer);
    return json(await diffVersions(services.database, files, files.normalize(path), range), { schema: FileDiff });
  },
);

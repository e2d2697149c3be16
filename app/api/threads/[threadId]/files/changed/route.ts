import { z } from "zod";
import { ChangedFileList } from "@/lib/schema/files/workspace-file";
import { RowId } from "@/lib/schema/page-query";
import { listChangedFiles } from "@/lib/server/file-access/file-versions";
import { json } from "@/lib/server/http/reply";
import { requireReadableThread } from "@/lib/server/threads/thread-row";
import { defineRoute } from "@/lib/server/wiring/route";

export const GET = defineRoute(
  {
    access: "read",
    params: z.object({ threadId: RowId }),
    reply: ChangedFileList,
    summary: "The files that this thread changed, with lines added and removed",
  },
  async ({ services, params: { threadId }, viewer }) => {
    const thread = await requireReadableThread(services.database, threadId, viewer);
    return json({ files: await listChangedFiles(services.database, thread) }, { schema: ChangedFileList });
  },
);

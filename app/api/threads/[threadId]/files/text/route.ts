import { z } from "zod";
import { DocumentReading } from "@/lib/schema/files/document";
import { FileContentQuery } from "@/lib/schema/files/workspace-file";
import { RowId } from "@/lib/schema/page-query";
import { readForPerson } from "@/lib/server/file-access/document-reading";
import { readFileBytes } from "@/lib/server/file-access/file-versions";
import { openThreadFiles } from "@/lib/server/file-access/user-files";
import { json } from "@/lib/server/http/reply";
import { defineRoute } from "@/lib/server/wiring/route";

export const GET = defineRoute(
  {
    access: "read",
    params: z.object({ threadId: RowId }),
    query: FileContentQuery,
    reply: DocumentReading,
    summary: "The text of a PDF, Word or Excel file of the thread's workspace, as an agent reads it",
  },
  async ({ services, params: { threadId }, query: { path, version }, viewer, signal }) => {
    const bytes = await readFileBytes(
      services.database,
      await openThreadFiles(services, threadId, viewer),
      path,
      version,
    );
    return json(await readForPerson({ path, bytes }, signal), { schema: DocumentReading });
  },
);

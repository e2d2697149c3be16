import { z } from "zod";
import { AgentFileQuery, UploadBody, UploadedFile } from "@/lib/schema/files/workspace-file";
import { RowId } from "@/lib/schema/page-query";
import { readUpload } from "@/lib/server/file-access/read-upload";
import { openAgentFiles, writeBytes } from "@/lib/server/file-access/user-files";
import { json } from "@/lib/server/http/reply";
import { defineRoute } from "@/lib/server/wiring/route";

export const PUT = defineRoute(
  {
    access: "chat",
    params: z.object({ id: RowId }),
    query: AgentFileQuery,
    bodyDocument: UploadBody,
    reply: UploadedFile,
    summary: "Write a file of the caller's own workspace, as JSON text or multipart",
  },
  async ({ services, params: { id }, query, viewer, request }) => {
    const files = await openAgentFiles(services, id, viewer, query);
    const { path, bytes } = await readUpload(request);
    return json(await writeBytes(services, files, path, bytes), { schema: UploadedFile });
  },
);

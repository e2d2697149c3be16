import { z } from "zod";
import {
  FileList,
  RequiredPathQuery,
  ThreadFileQuery,
  UploadBody,
  UploadedFile,
} from "@/lib/schema/files/workspace-file";
import { RowId } from "@/lib/schema/page-query";
import { readUpload } from "@/lib/server/file-access/read-upload";
import { listThreadFolder, openThreadFiles, removeFile, writeBytes } from "@/lib/server/file-access/user-files";
import { json, noContent } from "@/lib/server/http/reply";
import { defineRoute } from "@/lib/server/wiring/route";

const params = z.object({ threadId: RowId });

export const GET = defineRoute(
  {
    access: "read",
    params,
    query: ThreadFileQuery,
    reply: FileList,
    summary: "List a folder of the thread's workspace",
  },
  async ({ services, params: { threadId }, query, viewer }) =>
    json(await listThreadFolder(services, threadId, viewer, query.path), { schema: FileList }),
);

export const PUT = defineRoute(
  {
    access: "chat",
    params,
    bodyDocument: UploadBody,
    reply: UploadedFile,
    summary: "Write a file of the thread's workspace, as JSON text or multipart",
  },
  async ({ services, params: { threadId }, viewer, request }) => {
    const files = await openThreadFiles(services, threadId, viewer, "write");
    const { path, bytes } = await readUpload(request);
    return json(await writeBytes(services, files, path, bytes), { schema: UploadedFile });
  },
);

export const DELETE = defineRoute(
  { access: "chat", params, query: RequiredPathQuery, status: 204, summary: "Delete a file of the thread's workspace" },
  async ({ services, params: { threadId }, query, viewer }) => {
    await removeFile(services, await openThreadFiles(services, threadId, viewer, "write"), query.path);
    return noContent();
  },
);

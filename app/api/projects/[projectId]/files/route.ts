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
import { listFolder, openProjectFiles, removeFile, writeBytes } from "@/lib/server/file-access/user-files";
import { json, noContent } from "@/lib/server/http/reply";
import { defineRoute } from "@/lib/server/wiring/route";

const params = z.object({ projectId: RowId });

export const GET = defineRoute(
  {
    access: "read",
    params,
    query: ThreadFileQuery,
    reply: FileList,
    summary: "List a folder of the files that a project's threads share",
  },
  async ({ services, params: { projectId }, query, viewer }) =>
    json(await listFolder(await openProjectFiles(services.database, projectId, viewer), query.path), {
      schema: FileList,
    }),
);

export const PUT = defineRoute(
  {
    access: "chat",
    params,
    bodyDocument: UploadBody,
    reply: UploadedFile,
    summary: "Write a file of a project, as JSON text or multipart",
  },
  async ({ services, params: { projectId }, viewer, request }) => {
    const files = await openProjectFiles(services.database, projectId, viewer, "write");
    const { path, bytes } = await readUpload(request);
    return json(await writeBytes(services, files, path, bytes), { schema: UploadedFile });
  },
);

export const DELETE = defineRoute(
  { access: "chat", params, query: RequiredPathQuery, status: 204, summary: "Delete a file of a project" },
  async ({ services, params: { projectId }, query, viewer }) => {
    await removeFile(services, await openProjectFiles(services.database, projectId, viewer, "write"), query.path);
    return noContent();
  },
);

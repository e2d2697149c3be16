import { ExportThreadsQuery } from "@/lib/schema/threads/thread-requests";
import { download } from "@/lib/server/http/reply";
import { exportThreads } from "@/lib/server/threads/export-threads";
import { defineRoute } from "@/lib/server/wiring/route";

export const GET = defineRoute(
  {
    access: "read",
    query: ExportThreadsQuery,
    produces: "application/zip",
    summary: "Download several threads as a zip of JSON or Markdown files",
  },
  async ({ services, query: { ids, format }, viewer }) =>
    download(await exportThreads(services, ids, viewer, format), {
      fileName: "threads.zip",
      contentType: "application/zip",
    }),
);

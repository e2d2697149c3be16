import { FramedFileQuery } from "@/lib/schema/files/workspace-file";
import { framePage } from "@/lib/server/file-access/pages/frame-page";
import { framedDocument } from "@/lib/server/http/framed-page";
import { isForIframe } from "@/lib/server/http/request-origin";
import { defineRoute } from "@/lib/server/wiring/route";

export const GET = defineRoute(
  {
    access: "read",
    query: FramedFileQuery,
    produces: "text/html",
    summary: "A page of a thread's workspace with its files in it, for a frame that reaches nothing else",
  },
  async ({ services, query, viewer, request, signal }) => {
    const isForFrame = isForIframe(request);
    const reply = framedDocument(await framePage(services, viewer, query, signal));
    if (!isForFrame) reply.headers.set("content-disposition", "attachment");
    return reply;
  },
);

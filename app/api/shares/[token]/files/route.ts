import { z } from "zod";
import { ShareToken } from "@/lib/schema/threads/share";
import { download } from "@/lib/server/http/reply";
import { openSharedFile } from "@/lib/server/threads/shares/open-share";
import { findViewer } from "@/lib/server/users/session";
import { defineRoute } from "@/lib/server/wiring/route";

export const GET = defineRoute(
  {
    access: "public",
    params: z.object({ token: ShareToken }),
    query: z.strictObject({ path: z.string().min(1).max(4_000) }),
    produces: "application/octet-stream",
    summary: "Download a file of a shared thread",
  },
  async ({ services, params: { token }, query: { path }, request: { headers } }) => {
    const bytes = await openSharedFile(services, token, { viewer: await findViewer(services, headers), headers }, path);
    return download(bytes, { fileName: path.slice(path.lastIndexOf("/") + 1) });
  },
);

import { z } from "zod";
import { SharedPage, SharedPageQuery, ShareToken } from "@/lib/schema/threads/share";
import { json } from "@/lib/server/http/reply";
import { openShare } from "@/lib/server/threads/shares/open-share";
import { findViewer } from "@/lib/server/users/session";
import { defineRoute } from "@/lib/server/wiring/route";

export const GET = defineRoute(
  {
    access: "public",
    params: z.object({ token: ShareToken }),
    query: SharedPageQuery,
    reply: SharedPage,
    summary: "What is behind the link of a shared thread; without publicShares for people who are signed in",
  },
  async ({ services, params: { token }, query: { from }, request: { headers } }) => {
    const page = await openShare(services, token, { viewer: await findViewer(services, headers), headers }, from);
    return json(page, { schema: SharedPage });
  },
);

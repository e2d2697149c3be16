import { z } from "zod";
import { RowId } from "@/lib/schema/page-query";
import { CreatedShare, ShareState, ShareThreadBody } from "@/lib/schema/threads/share";
import { json, noContent } from "@/lib/server/http/reply";
import { getShareState, revokeShare, shareThread } from "@/lib/server/threads/shares/share-thread";
import { defineRoute } from "@/lib/server/wiring/route";

const params = z.object({ threadId: RowId });

export const GET = defineRoute(
  { access: "read", params, reply: ShareState, summary: "Whether a thread of yours is shared; the link is not shown" },
  async ({ services, params: { threadId }, viewer }) =>
    json(await getShareState(services.database, threadId, viewer), { schema: ShareState }),
);

export const POST = defineRoute(
  {
    access: "chat",
    params,
    body: ShareThreadBody,
    reply: CreatedShare,
    status: 201,
    summary: "Share a thread as it is now; the link is shown once, and an earlier one stops working",
  },
  async ({ services, params: { threadId }, viewer, body }) =>
    json(await shareThread(services.database, threadId, viewer, body), { status: 201, schema: CreatedShare }),
);

export const DELETE = defineRoute(
  { access: "chat", params, status: 204, summary: "Revoke the link of a thread" },
  async ({ services, params: { threadId }, viewer }) => {
    await revokeShare(services.database, threadId, viewer);
    return noContent();
  },
);

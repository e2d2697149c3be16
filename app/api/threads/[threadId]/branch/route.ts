import { z } from "zod";
import { RowId } from "@/lib/schema/page-query";
import { ChooseBranchBody } from "@/lib/schema/threads/thread-requests";
import { noContent } from "@/lib/server/http/reply";
import { chooseBranch } from "@/lib/server/threads/branches/choose-branch";
import { defineRoute } from "@/lib/server/wiring/route";

export const PUT = defineRoute(
  {
    access: "chat",
    params: z.object({ threadId: RowId }),
    body: ChooseBranchBody,
    status: 204,
    summary: "Show the newest branch with a message: on every page, and to the next message",
  },
  async ({ params: { threadId }, viewer, body }) => {
    await chooseBranch(threadId, viewer.id, body.messageId);
    return noContent();
  },
);

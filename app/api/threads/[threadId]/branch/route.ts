import { z } from "zod";
import { RowId } from "@/lib/schema/page-query";
import { BranchVersions, ChooseBranchBody } from "@/lib/schema/threads/thread-requests";
import { json, noContent } from "@/lib/server/http/reply";
import { chooseBranch } from "@/lib/server/threads/branches/choose-branch";
import { listVersions } from "@/lib/server/threads/branches/list-versions";
import { defineRoute } from "@/lib/server/wiring/route";

export const GET = defineRoute(
  {
    access: "read",
    params: z.object({ threadId: RowId }),
    reply: BranchVersions,
    summary: "The versions of the last message that has any, with their replies",
  },
  async ({ services, params: { threadId }, viewer }) =>
    json(await listVersions(services.database, threadId, viewer), { schema: BranchVersions }),
);

export const PUT = defineRoute(
  {
    access: "chat",
    params: z.object({ threadId: RowId }),
    body: ChooseBranchBody,
    status: 204,
    summary: "Show the newest branch with a message: on every page, and to the next message",
  },
  async ({ services, params: { threadId }, viewer, body }) => {
    await chooseBranch(services.database, threadId, viewer, body.messageId);
    return noContent();
  },
);

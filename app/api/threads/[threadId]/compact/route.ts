import { z } from "zod";
import { RowId } from "@/lib/schema/page-query";
import { CompactReply } from "@/lib/schema/runs/compaction";
import { json } from "@/lib/server/http/reply";
import { compactThread } from "@/lib/server/threads/compact-thread";
import { loadCompaction } from "@/lib/server/wiring/load-compaction";
import { defineRoute } from "@/lib/server/wiring/route";

export const POST = defineRoute(
  {
    access: "chat",
    params: z.object({ threadId: RowId }),
    reply: CompactReply,
    summary: "Summarise the older part of a thread now; 409 while it has a run or a compaction in progress",
  },
  async ({ services, params: { threadId }, viewer }) =>
    json(await compactThread(services, threadId, viewer, loadCompaction), { schema: CompactReply }),
);

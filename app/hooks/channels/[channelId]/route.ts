import { z } from "zod";
import { RowId } from "@/lib/schema/page-query";
import { receiveRequest } from "@/lib/server/channels/receive-request";
import { MAX_BODY_BYTES, readBody } from "@/lib/server/http/read-body";
import { loadCompaction } from "@/lib/server/wiring/load-compaction";
import { defineRoute } from "@/lib/server/wiring/route";

export const POST = defineRoute(
  {
    access: "public",
    params: z.object({ channelId: RowId }),
    bodyDocument: z.unknown().describe("What the service of the channel sends, signed its way."),
    produces: "text/plain",
    summary: "What a channel's service brings: Telegram's webhook, Slack's events and buttons",
  },
  async ({ services, params: { channelId }, request }) => {
    const body = await readBody(request, MAX_BODY_BYTES);
    return receiveRequest(services, channelId, { headers: request.headers, body }, { loadCompaction });
  },
);

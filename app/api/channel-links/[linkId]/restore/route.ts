import { z } from "zod";
import { ChannelLink } from "@/lib/schema/channels/channel-link";
import { RowId } from "@/lib/schema/page-query";
import { json } from "@/lib/server/http/reply";
import { restoreLink } from "@/lib/server/triggers/channels/links/unlink";
import { defineRoute } from "@/lib/server/wiring/route";

export const POST = defineRoute(
  {
    access: "chat",
    params: z.object({ linkId: RowId }),
    reply: ChannelLink,
    summary: "Link a chat again with its thread, for 10 minutes by whoever unlinked it",
  },
  async ({ services, params: { linkId }, viewer }) =>
    json(await restoreLink(services, linkId, viewer), { schema: ChannelLink }),
);

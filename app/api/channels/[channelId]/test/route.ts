import { z } from "zod";
import { ChannelTest } from "@/lib/schema/channels/channel";
import { RowId } from "@/lib/schema/page-query";
import { json } from "@/lib/server/http/reply";
import { testChannel } from "@/lib/server/triggers/channels/manage-channels";
import { defineRoute } from "@/lib/server/wiring/route";

const params = z.object({ channelId: RowId });

export const POST = defineRoute(
  { access: "admin", params, reply: ChannelTest, summary: "Ask the service of a channel who the bot is" },
  async ({ services, params: { channelId }, viewer }) =>
    json(await testChannel(services, channelId, viewer), { schema: ChannelTest }),
);

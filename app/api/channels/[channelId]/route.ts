import { z } from "zod";
import { Channel, UpdateChannelBody } from "@/lib/schema/channels/channel";
import { RowId } from "@/lib/schema/page-query";
import { json, noContent } from "@/lib/server/http/reply";
import { deleteChannel, getChannel, updateChannel } from "@/lib/server/triggers/channels/manage-channels";
import { defineRoute } from "@/lib/server/wiring/route";

const params = z.object({ channelId: RowId });

export const GET = defineRoute(
  { access: "admin", params, reply: Channel, summary: "One channel" },
  async ({ services, params: { channelId } }) =>
    json(await getChannel(services.database, channelId), { schema: Channel }),
);

export const PATCH = defineRoute(
  { access: "admin", params, body: UpdateChannelBody, reply: Channel, summary: "Change a channel" },
  async ({ services, params: { channelId }, body, viewer }) =>
    json(await updateChannel(services, channelId, body, viewer), { schema: Channel }),
);

export const DELETE = defineRoute(
  { access: "admin", params, status: 204, summary: "Delete a channel with its links; the threads of its chats stay" },
  async ({ services, params: { channelId }, viewer }) => {
    await deleteChannel(services, channelId, viewer);
    return noContent();
  },
);

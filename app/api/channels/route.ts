import { z } from "zod";
import { Channel, CreateChannelBody } from "@/lib/schema/channels/channel";
import { json } from "@/lib/server/http/reply";
import { createChannel, listChannels } from "@/lib/server/triggers/channels/manage-channels";
import { defineRoute } from "@/lib/server/wiring/route";

const ChannelList = z.object({ channels: z.array(Channel) });

export const GET = defineRoute(
  { access: "admin", reply: ChannelList, summary: "The bots and mailboxes by which people talk to agents" },
  async ({ services }) => json({ channels: await listChannels(services.database) }, { schema: ChannelList }),
);

export const POST = defineRoute(
  {
    access: "admin",
    body: CreateChannelBody,
    reply: Channel,
    status: 201,
    summary: "Add a channel; its credentials are stored encrypted and never shown again",
  },
  async ({ services, body, viewer }) =>
    json(await createChannel(services, body, viewer), { status: 201, schema: Channel }),
);

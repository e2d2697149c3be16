import { ChannelLinkList, CreateLinkBody, LinkCode, LinkQuery } from "@/lib/schema/channels/channel-link";
import { json } from "@/lib/server/http/reply";
import { createLinkCode, listLinks } from "@/lib/server/triggers/channels/links/manage-links";
import { defineRoute } from "@/lib/server/wiring/route";

export const GET = defineRoute(
  {
    access: "read",
    query: LinkQuery,
    reply: ChannelLinkList,
    summary: "The caller's linked chats, and the channels in which one can be linked; all=true for administrators",
  },
  async ({ services, query, viewer }) =>
    json(await listLinks(services.database, viewer, query.all), { schema: ChannelLinkList }),
);

export const POST = defineRoute(
  {
    access: "chat",
    body: CreateLinkBody,
    reply: LinkCode,
    status: 201,
    summary: "A code to type in a chat, which links it to the caller; good once, for 10 minutes",
  },
  async ({ services, body, viewer }) =>
    json(await createLinkCode(services.database, body.channelId, viewer), { status: 201, schema: LinkCode }),
);

import { z } from "zod";
import { ChannelLink, UpdateLinkBody } from "@/lib/schema/channels/channel-link";
import { RowId } from "@/lib/schema/page-query";
import { json, noContent } from "@/lib/server/http/reply";
import { changeLinkAgent } from "@/lib/server/triggers/channels/links/manage-links";
import { deleteLink } from "@/lib/server/triggers/channels/links/unlink";
import { defineRoute } from "@/lib/server/wiring/route";

const params = z.object({ linkId: RowId });

export const PATCH = defineRoute(
  {
    access: "chat",
    params,
    body: UpdateLinkBody,
    reply: ChannelLink,
    summary: "Who answers in a linked chat; another agent begins a thread of its own",
  },
  async ({ services, params: { linkId }, body, viewer }) =>
    json(await changeLinkAgent(services, linkId, body.agentId, viewer), { schema: ChannelLink }),
);

export const DELETE = defineRoute(
  { access: "chat", params, status: 204, summary: "Unlink a chat: its thread stays, its messages start nothing" },
  async ({ services, params: { linkId }, viewer }) => {
    await deleteLink(services, linkId, viewer);
    return noContent();
  },
);

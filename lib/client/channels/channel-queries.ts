import { queryOptions } from "@tanstack/react-query";
import { z } from "zod";
import { callApi, callJson } from "@/lib/client/http/api";
import { Channel, ChannelTest, type CreateChannelBody, type UpdateChannelBody } from "@/lib/schema/channels/channel";
import { ChannelLink, ChannelLinkList, LinkCode } from "@/lib/schema/channels/channel-link";

const REFRESH_MS = 10_000;
/** While a code waits to be entered. */
const WAITING_MS = 1_500;
const ChannelList = z.object({ channels: z.array(Channel) });
const pathOf = (id: string) => `/api/channels/${encodeURIComponent(id)}`;
const linkPath = (id: string) => `/api/channel-links/${encodeURIComponent(id)}`;

export const CHANNELS_KEY = ["channels"] as const;

export const channelsQuery = queryOptions({
  queryKey: [...CHANNELS_KEY, "all"],
  queryFn: async ({ signal }) => (await callJson(ChannelList, "/api/channels", { signal })).channels,
  refetchInterval: REFRESH_MS,
});

/** Everybody's linked chats. */
export const allLinksQuery = queryOptions({
  queryKey: [...CHANNELS_KEY, "links"],
  queryFn: ({ signal }) => callJson(ChannelLinkList, "/api/channel-links?all=true", { signal }),
  refetchInterval: REFRESH_MS,
});

/** The viewer's own links. */
export function linksQuery(isWaiting: boolean) {
  return queryOptions({
    queryKey: [...CHANNELS_KEY, "mine"],
    queryFn: ({ signal }) => callJson(ChannelLinkList, "/api/channel-links", { signal }),
    refetchInterval: isWaiting ? WAITING_MS : REFRESH_MS,
  });
}

export function createChannel(body: z.input<typeof CreateChannelBody>): Promise<Channel> {
  return callJson(Channel, "/api/channels", { method: "POST", body });
}

export function updateChannel(id: string, body: z.input<typeof UpdateChannelBody>): Promise<Channel> {
  return callJson(Channel, pathOf(id), { method: "PATCH", body });
}

export async function deleteChannel(id: string): Promise<void> {
  await callApi(pathOf(id), { method: "DELETE" });
}

export function testChannel(id: string): Promise<ChannelTest> {
  return callJson(ChannelTest, `${pathOf(id)}/test`, { method: "POST" });
}

export function createLinkCode(channelId: string): Promise<LinkCode> {
  return callJson(LinkCode, "/api/channel-links", { method: "POST", body: { channelId } });
}

export function changeLinkAgent(id: string, agentId: string): Promise<ChannelLink> {
  return callJson(ChannelLink, linkPath(id), { method: "PATCH", body: { agentId } });
}

export async function unlinkChat(id: string): Promise<void> {
  await callApi(linkPath(id), { method: "DELETE" });
}

/** Undoes an `unlinkChat` of the same person. */
export function restoreChat(id: string): Promise<ChannelLink> {
  return callJson(ChannelLink, `${linkPath(id)}/restore`, { method: "POST" });
}

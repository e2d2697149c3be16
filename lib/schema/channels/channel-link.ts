import { z } from "zod";
import { AgentId } from "@/lib/schema/agents/agent-id";
import { RowId } from "@/lib/schema/page-query";
import { shownOnce } from "@/lib/schema/shown-once";
import { MadeByKey } from "@/lib/schema/users/api-key";
import { ChannelState } from "./channel";
import { ChannelKind } from "./channel-credentials";

/** The stored data of a linked chat's trigger; the trigger has the link's id. */
export const ChatTrigger = z.strictObject({
  channelId: RowId,
  channel: ChannelKind,
  chatId: z.string(),
  chatKind: z.enum(["direct", "group"]),
  sender: z.string(),
});
export type ChatTrigger = z.output<typeof ChatTrigger>;

/** POST `/api/channel-links`. */
export const CreateLinkBody = z.strictObject({ channelId: RowId });

/** Shown once. `url` opens the bot with the code filled in, if the service supports that. */
export const LinkCode = z.object({
  code: shownOnce(z.string()),
  expiresAt: z.string(),
  url: shownOnce(z.string().nullable()),
});
export type LinkCode = z.infer<typeof LinkCode>;

/** PATCH `/api/channel-links/{id}`: who answers; the chat then begins a new thread. */
export const UpdateLinkBody = z.strictObject({ agentId: AgentId });

/** What a chat's runs have cost, against its person's own budget of that period. */
const LinkCost = z.object({
  /** Null if the price of a run is unknown. */
  usd: z.number().nullable(),
  /** What the budget allows; null if the person has none: then the cost of the last seven days. */
  ofUsd: z.number().nullable(),
  period: z.enum(["week", "day", "month", "total"]),
});
export type LinkCost = z.infer<typeof LinkCost>;

/** A linked chat. Times are ISO 8601. */
export const ChannelLink = z.object({
  id: z.string(),
  userId: z.string(),
  userName: z.string(),
  /** Why the person may not start runs now. */
  paused: z.string().nullable(),
  /** Null unless it was linked with the code of an API key. */
  apiKey: MadeByKey.nullable(),
  channelId: z.string(),
  channelName: z.string(),
  kind: ChannelKind,
  chatKind: z.enum(["direct", "group"]),
  chatName: z.string(),
  agentId: z.string(),
  agentName: z.string().nullable(),
  agentVersion: z.number().nullable(),
  threadId: z.string().nullable(),
  verifiedAt: z.string(),
  lastUsedAt: z.string().nullable(),
  /** In the last seven days. */
  runs: z.number(),
  cost: LinkCost,
});
export type ChannelLink = z.infer<typeof ChannelLink>;

/** A channel, as shown to people who may link a chat. */
const LinkableChannel = z.object({
  id: z.string(),
  kind: ChannelKind,
  name: z.string(),
  username: z.string().nullable(),
  state: ChannelState,
  error: z.string().nullable(),
});

export const LinkQuery = z.strictObject({
  /** Everybody's links, for administrators. */
  all: z.stringbool().default(false),
});

/** A code that was shown but not entered yet. */
const OpenCode = z.object({
  channelId: z.string(),
  userName: z.string(),
  expiresAt: z.string(),
});

/** GET `/api/channel-links`. `lastId`: what "last" currently refers to. */
export const ChannelLinkList = z.object({
  links: z.array(ChannelLink),
  codes: z.array(OpenCode),
  channels: z.array(LinkableChannel),
  lastId: z.string().nullable(),
});
export type ChannelLinkList = z.infer<typeof ChannelLinkList>;

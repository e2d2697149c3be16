import type { ChannelKind } from "@/lib/schema/channels/channel-credentials";
import type { Channel } from "./channel";

/** The kinds that can be used. One is loaded when it is first used. */
export const CHANNEL_KINDS: Readonly<Partial<Record<ChannelKind, () => Promise<Channel>>>> = {
  telegram: () => import("./telegram/telegram").then(({ telegram }) => telegram),
  email: () => import("./email/email").then(({ email }) => email),
  slack: () => import("./slack/slack").then(({ slack }) => slack),
};

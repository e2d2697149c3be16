import type { ChannelKind } from "@/lib/schema/channels/channel-credentials";
import type { Channel } from "./channel";

/** The available kinds. Each is loaded on first use. */
export const CHANNEL_KINDS: Readonly<Partial<Record<ChannelKind, () => Promise<Channel>>>> = {
  telegram: () => import("./telegram/telegram").then(({ telegram }) => telegram),
  email: () => import("./email/email").then(({ email }) => email),
  slack: () => import("./slack/slack").then(({ slack }) => slack),
};

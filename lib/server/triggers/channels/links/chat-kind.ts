import { type ChannelLink, ChatTrigger } from "@/lib/schema/channels/channel-link";
import type { TriggerKind } from "@/lib/server/triggers/trigger-kind";

/** A person's messages in a linked chat; the answer goes back to the chat. */
export const chatKind: TriggerKind<ChatTrigger, ChannelLink> = {
  noun: "chat",
  stored: ["channel"],
  configSchema: ChatTrigger,
  async describe(services, rows, now) {
    const { describeChats } = await import("./describe-links");
    return describeChats(services.database, rows, now);
  },
  plan: ({ id, config }) => ({
    origin: "channel",
    prompt: "",
    thread: "new",
    on_ask: "wait",
    overlap: "parallel",
    pause_after_failures: null,
    no_history: false,
    compact: true,
    deliver: [{ channel: id }],
    rules: null,
    chat: ChatTrigger.parse(JSON.parse(config)),
  }),
};

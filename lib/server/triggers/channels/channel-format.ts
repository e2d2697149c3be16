import type { PromptSection } from "@/lib/agent/model";
import { ChannelKind } from "@/lib/schema/channels/channel-credentials";
import { OriginDetails } from "@/lib/schema/runs/run";
import type { Database } from "@/lib/server/platform/db/database";
import { CHANNEL_KINDS } from "./channel-kinds";

/** What the model is told about the chat in which its answer is shown. */
export async function channelFormat(database: Database, originDetails: string): Promise<PromptSection[]> {
  const { channel, triggerId } = OriginDetails.parse(JSON.parse(originDetails));
  const kind = ChannelKind.safeParse(channel);
  const load = kind.success ? CHANNEL_KINDS[kind.data] : undefined;
  if (!load) return [];
  const { formatHint, limits } = await load();
  const link = await database.channelLink.findUnique({
    where: { id: triggerId ?? "" },
    select: { chatKind: true, chatName: true },
  });
  const isGroup = link?.chatKind === "group";
  const lines = [
    "## Messaging",
    isGroup
      ? `Your answer is read in the group “${link.chatName}” (${channel}). Each message begins with the name of who wrote it.`
      : `Your answer is read in a chat (${channel}).`,
    formatHint,
    `A message there has at most ${limits.textCharacters} characters: longer answers are sent in several. Keep them short.`,
  ];
  return [{ name: "messaging", text: lines.join("\n") }];
}

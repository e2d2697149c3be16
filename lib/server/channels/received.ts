import { logger } from "@/lib/server/platform/logger";
import type { LoadCompaction } from "@/lib/server/threads/compact-thread";
import type { Button, Chat, InboundUpdate } from "@/lib/server/triggers/channels/channel";
import type { ChannelRow, OpenChannel } from "@/lib/server/triggers/channels/connection";

/** What only the wiring of a process can bring. */
export interface ChannelPorts {
  readonly loadCompaction: LoadCompaction;
}

/** A channel with the update just received. */
export interface Received {
  readonly ports: ChannelPorts;
  readonly row: ChannelRow;
  readonly open: OpenChannel;
  readonly update: InboundUpdate;
  readonly now: Date;
}

/** Sends a notice that belongs to no run. Delivery is best-effort: it is sent only once. */
export async function say(
  { channel, connection }: OpenChannel,
  chat: Pick<Chat, "id">,
  text: string,
  buttons: readonly Button[] = [],
): Promise<void> {
  try {
    await channel.send(connection, chat.id, { text, ...(buttons.length === 0 ? {} : { buttons: [buttons] }) });
  } catch (error) {
    logger().warn({ err: error, channelId: connection.channelId }, "could not send a notice to a chat");
  }
}

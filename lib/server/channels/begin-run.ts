import "server-only";
import { logger } from "@/lib/server/platform/logger";
import type { Services } from "@/lib/server/platform/services";
import type { InboundMessage } from "@/lib/server/triggers/channels/channel";
import type { LinkRow } from "@/lib/server/triggers/channels/connection";
import { showTyping } from "@/lib/server/triggers/channels/typing";
import { startClaimed } from "@/lib/server/triggers/start-claimed";
import { type Received, say } from "./received";

/** A message with the link of its sender. */
export interface Linked {
  readonly link: LinkRow;
  readonly message: InboundMessage;
}

interface Beginning extends Linked {
  /** The key of the firing that holds the message. */
  readonly key: string;
}

/** Starts the run of a message, unless it has to wait, and shows in the chat that the agent is typing. */
export async function beginRun(
  services: Services,
  { open }: Pick<Received, "open">,
  { link, message, key }: Beginning,
  now = new Date(),
): Promise<void> {
  try {
    await startClaimed(services, link.id, now);
  } catch (error) {
    // The firing is kept: it starts once the missing part is available again.
    logger().error({ err: error, channelId: link.channelId }, "could not start the run of a chat's message yet");
    return;
  }
  const firing = await services.database.firing.findUnique({ where: { triggerId_key: { triggerId: link.id, key } } });
  if (firing?.state === "refused") await say(open, message.chat, firing.reason ?? "Nothing was started.");
  if (firing?.state !== "started" || firing.runId === null) return;
  await showTyping(services, firing.runId, { open, chatId: message.chat.id, replyTo: message.answerKey });
}

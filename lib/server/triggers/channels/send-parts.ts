import type { Database } from "@/lib/server/platform/db/database";
import { DeliveryDelayed } from "@/lib/server/triggers/targets/delivery-sender";
import { findAnswerKey } from "./answer-key";
import { type Channel, ChannelBusy, type OutboundFile, type OutboundMessage } from "./channel";
import { type ChannelRow, type LinkRow, openChannel } from "./connection";
import { splitText } from "./split-text";

/** Marks a message that may have arrived before. */
const AGAIN = "(again) ";

interface SentAs {
  readonly deliveryId: string;
  readonly threadId: string;
  readonly runId: string;
  /** The approval that its buttons decide. */
  readonly approvalId?: string;
  /** An earlier attempt may already have sent the next part. */
  readonly isRepeat: boolean;
}

interface Content extends Pick<OutboundMessage, "text" | "buttons" | "subject"> {
  readonly files?: readonly OutboundFile[];
}

/**
 * Sends a text of any length, then the files. Each part is recorded once the service has accepted it: another attempt
 * resumes at the first part not recorded. Throws `DeliveryDelayed` if the service asks to wait.
 */
export async function sendParts(
  database: Database,
  { link, channel: row }: { readonly link: LinkRow; readonly channel: ChannelRow },
  { text, buttons, subject, files = [] }: Content,
  sentAs: SentAs,
): Promise<void> {
  const { channel, connection } = await openChannel(row);
  const { deliveryId, threadId, runId, approvalId, isRepeat } = sentAs;
  const replyTo = await findAnswerKey(database, { linkId: link.id, runId, threadId });
  const parts = partsOf({ text, buttons, subject, files }, replyTo, channel.limits);
  const known = await database.channelMessage.findMany({
    where: { deliveryId },
    select: { part: true },
    orderBy: { part: "asc" },
  });
  let isMarked = !isRepeat;
  for (const [part, message] of parts.entries()) {
    if (known.some((sent) => sent.part === part)) continue;
    const marked = isMarked ? message : { ...message, text: `${AGAIN}${message.text}` };
    isMarked = true;
    const { messageId } = await noteWait(database, row.id, () => channel.send(connection, link.externalChat, marked));
    await database.channelMessage.create({
      data: {
        id: `${deliveryId}:${part}`,
        channelId: row.id,
        externalChat: link.externalChat,
        messageId,
        deliveryId,
        part,
        userId: link.userId,
        threadId,
        runId,
        ...(approvalId === undefined ? {} : { approvalId, isOpen: message.buttons !== undefined }),
      },
      select: { id: true },
    });
  }
}

function partsOf(
  { text, buttons, subject, files = [] }: Content,
  replyTo: string | undefined,
  { textCharacters, keepsFiles = false }: Channel["limits"],
): OutboundMessage[] {
  const each = { ...(replyTo === undefined ? {} : { replyTo }), ...(subject === undefined ? {} : { subject }) };
  const texts = splitText(text, textCharacters - AGAIN.length);
  const isLast = (index: number) => index === texts.length - 1;
  const parts = texts.map((one, index) => ({
    text: one,
    ...each,
    ...(buttons && isLast(index) ? { buttons } : {}),
    ...(keepsFiles && isLast(index) ? { files } : {}),
  }));
  if (keepsFiles && parts.length > 0) return parts;
  const groups = keepsFiles ? [files] : files.map((file) => [file]);
  return [
    ...parts,
    ...groups.filter((group) => group.length > 0).map((group) => ({ text: "", files: group, ...each })),
  ];
}

/** Records the wait requested by the service on the channel's page. */
export async function noteWait<Result>(
  database: Database,
  channelId: string,
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof ChannelBusy)) throw error;
    const data = { waitedAt: new Date(), waitedSeconds: error.retryAfterSeconds };
    await database.channel.updateMany({ where: { id: channelId }, data });
    throw new DeliveryDelayed(error.message, error.retryAfterSeconds * 1_000);
  }
}

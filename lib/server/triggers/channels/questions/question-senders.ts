import "server-only";
import type { Database } from "@/lib/server/platform/db/database";
import { env } from "@/lib/server/platform/env";
import type { Button } from "@/lib/server/triggers/channels/channel";
import { agentOf, requireChat } from "@/lib/server/triggers/channels/channel-senders";
import { openChannel } from "@/lib/server/triggers/channels/connection";
import { noteWait, sendParts } from "@/lib/server/triggers/channels/send-parts";
import { createShortToken } from "@/lib/server/triggers/notify/decision-token";
import { DeliveryDropped, type DeliverySender } from "@/lib/server/triggers/targets/delivery-sender";
import { queueDecided } from "./follow-questions";
import { outcomeText, type QuestionText, questionText } from "./question-message";

/** Sends a run's question to the chat it came from. */
export const questionSender: DeliverySender = {
  dropsRepeats: false,
  async send(database, outgoing) {
    const { link: linkId = "", approvalId = "" } = outgoing.target.question ?? {};
    const to = await requireChat(database, outgoing, linkId);
    const row = await database.approval.findUnique({ where: { id: approvalId } });
    if (row?.status !== "pending") throw new DeliveryDropped("Not sent: by then it was decided.");
    const { channel } = await openChannel(to.channel);
    const { textCharacters, canPress } = channel.limits;
    const question = questionText(row, (await agentOf(database, outgoing.runId)).versioned, textCharacters);
    const buttons = await buttonsFor(database, question, { approvalId, userId: to.link.userId, canPress });
    const sentAs = { deliveryId: outgoing.id, isRepeat: outgoing.isRepeat, runId: row.runId, threadId: row.threadId };
    await sendParts(database, to, { text: question.text, buttons, subject: "Needs you" }, { ...sentAs, approvalId });
    // It may have been decided while queued.
    const now = await database.approval.findUnique({ where: { id: approvalId }, select: { status: true } });
    if (now?.status !== "pending") await queueDecided(database, outgoing.ownerId, new Date());
  },
};

interface ForWhom {
  readonly approvalId: string;
  readonly userId: string;
  readonly canPress: boolean;
}

async function buttonsFor(
  database: Database,
  { decides, options }: QuestionText,
  { approvalId, userId, canPress }: ForWhom,
): Promise<Button[][]> {
  const open: Button = { label: "Open in the browser", url: `${env().publicUrl.replace(/\/$/, "")}/inbox` };
  if (!canPress || (decides === null && options.length === 0)) return [[open]];
  const mayAllow = decides?.mayAllow ?? false;
  const token = await createShortToken(database, { approvalId, userId, mayAllow }, new Date());
  if (decides === null) return [...options.map((label, index) => [{ label, data: `${index}.${token}` }]), [open]];
  const deny: Button = { label: "Deny", data: `d.${token}` };
  return mayAllow ? [[{ label: "Allow once", data: `a.${token}` }, deny], [open]] : [[open, deny]];
}

/** Edits the message once the question is decided anywhere: the outcome replaces the buttons. */
export const decidedSender: DeliverySender = {
  dropsRepeats: true,
  async send(database, outgoing) {
    const message = await database.channelMessage.findUnique({ where: { id: outgoing.target.decided?.message ?? "" } });
    const row = await database.approval.findUnique({ where: { id: message?.approvalId ?? "" } });
    const channelRow = await database.channel.findUnique({ where: { id: message?.channelId ?? "" } });
    if (!message || !row || !channelRow) throw new DeliveryDropped("Not changed: the message is gone.");
    const { channel, connection } = await openChannel(channelRow);
    if (channel.limits.canEdit) {
      const question = questionText(
        row,
        (await agentOf(database, message.runId)).versioned,
        channel.limits.textCharacters,
      );
      const text = `${question.text}\n\n${await outcomeText(database, row, message.userId)}`;
      await noteWait(database, channelRow.id, () =>
        channel.edit(connection, message.externalChat, message.messageId, { text }),
      );
    }
    await database.channelMessage.update({ where: { id: message.id }, data: { isOpen: false }, select: { id: true } });
  },
};

import "server-only";
import { OutgoingTarget } from "@/lib/schema/triggers/outgoing-target";
import type { NotificationDetail } from "@/lib/schema/users/notification";
import type { ApprovalRow } from "@/lib/server/engine/asks/approval-row";
import type { Database } from "@/lib/server/platform/db/database";
import { env } from "@/lib/server/platform/env";
import type { Button } from "@/lib/server/triggers/channels/channel";
import { agentOf, requireChat } from "@/lib/server/triggers/channels/channel-senders";
import { openChannel } from "@/lib/server/triggers/channels/connection";
import { waitsForEarlier } from "@/lib/server/triggers/channels/earlier-message";
import { noteWait, sendParts } from "@/lib/server/triggers/channels/send-parts";
import { createShortToken } from "@/lib/server/triggers/notify/decision-token";
import { preferencesOf } from "@/lib/server/triggers/notify/preferences";
import { DeliveryDropped, type DeliverySender, type Outgoing } from "@/lib/server/triggers/targets/delivery-sender";
import { queueDecided } from "./follow-questions";
import { noticeText, outcomeText, type QuestionText, questionText } from "./question-message";

/** Sends a run's question to the chat it came from. */
export const questionSender: DeliverySender = {
  dropsRepeats: false,
  waitsUntil: waitsForEarlier,
  async send({ database }, outgoing) {
    const { link: linkId = "", approvalId = "" } = outgoing.target.question ?? {};
    const to = await requireChat(database, outgoing, linkId);
    await sendQuestion(database, outgoing, { to, approvalId, words: "full" });
  },
};

interface Asking {
  readonly to: Awaited<ReturnType<typeof requireChat>>;
  readonly approvalId: string;
  /** How much the message says. */
  readonly words: NotificationDetail;
}

/** Asks in a chat what a run waits for. Throws `DeliveryDropped` if it was decided by then. */
export async function sendQuestion(
  database: Database,
  outgoing: Outgoing,
  { to, approvalId, words }: Asking,
): Promise<void> {
  const row = await database.approval.findUnique({ where: { id: approvalId } });
  if (row?.status !== "pending") throw new DeliveryDropped("Not sent: by then it was decided.");
  const { channel } = await openChannel(to.channel);
  const question = await questionOf(database, row, { limit: channel.limits.textCharacters, words });
  const forWhom = { approvalId, userId: to.link.userId, canPress: channel.limits.canPress };
  const buttons = await buttonsFor(database, question, forWhom);
  const sentAs = { deliveryId: outgoing.id, isRepeat: outgoing.isRepeat, runId: row.runId, threadId: row.threadId };
  await sendParts(
    database,
    to,
    { text: question.text, buttons, subject: "Waiting for you" },
    { ...sentAs, approvalId },
  );
  // It may have been decided while queued.
  const now = await database.approval.findUnique({ where: { id: approvalId }, select: { status: true } });
  if (now?.status !== "pending") await queueDecided(database, outgoing.ownerId, new Date());
}

async function questionOf(
  database: Database,
  row: ApprovalRow,
  { limit, words }: { readonly limit: number; readonly words: NotificationDetail },
): Promise<QuestionText> {
  const agent = (await agentOf(database, row.runId)).versioned;
  return words === "full" ? questionText(row, agent, limit) : noticeText(row, agent, words);
}

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

/** A notification says as much as the person has chosen, a chat's own question everything. */
async function wordsOf(
  database: Database,
  { deliveryId, userId }: { readonly deliveryId: string; readonly userId: string },
): Promise<NotificationDetail> {
  const delivery = await database.delivery.findUnique({ where: { id: deliveryId }, select: { target: true } });
  if (delivery === null) return "short";
  const { chat } = OutgoingTarget.parse(JSON.parse(delivery.target));
  return chat === undefined ? "full" : (await preferencesOf(database, userId)).words;
}

/** Edits the message once the question is decided anywhere: the outcome replaces the buttons. */
export const decidedSender: DeliverySender = {
  dropsRepeats: true,
  async send({ database }, outgoing) {
    const message = await database.channelMessage.findUnique({ where: { id: outgoing.target.decided?.message ?? "" } });
    const row = await database.approval.findUnique({ where: { id: message?.approvalId ?? "" } });
    const channelRow = await database.channel.findUnique({ where: { id: message?.channelId ?? "" } });
    if (!message || !row || !channelRow) throw new DeliveryDropped("Not changed: the message is gone.");
    const { channel, connection } = await openChannel(channelRow);
    if (channel.limits.canEdit) {
      const words = await wordsOf(database, message);
      const question = await questionOf(database, row, { limit: channel.limits.textCharacters, words });
      const text = `${question.text}\n\n${await outcomeText(database, row, message.userId)}`;
      await noteWait(database, channelRow.id, () =>
        channel.edit(connection, message.externalChat, message.messageId, { text }),
      );
    }
    await database.channelMessage.update({ where: { id: message.id }, data: { isOpen: false }, select: { id: true } });
  },
};

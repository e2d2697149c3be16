import "server-only";
import { OriginDetails } from "@/lib/schema/runs/run";
import type { Database } from "@/lib/server/platform/db/database";
import { env } from "@/lib/server/platform/env";
import { composeNotification } from "@/lib/server/triggers/notify/compose";
import { preferencesOf } from "@/lib/server/triggers/notify/preferences";
import { DeliveryDropped, type DeliverySender, type Outgoing } from "@/lib/server/triggers/targets/delivery-sender";
import { runPlanOf } from "@/lib/server/triggers/trigger-kinds";
import { requireChat } from "./channel-senders";
import { findNoticeLink, findTargetLink } from "./links/last-link";
import { sendQuestion } from "./questions/question-senders";
import { sendParts } from "./send-parts";

/** Sends a notification to the person's chat, unless the run itself tells that chat. */
export const noticeSender: DeliverySender = {
  dropsRepeats: false,
  async send(services, outgoing) {
    const { database } = services;
    const subject = outgoing.target.chat;
    if (!subject) throw new Error("The delivery names no notification.");
    const to = await requireNoticeChat(database, outgoing);
    if (await isToldByRun(database, outgoing.runId, { ownerId: outgoing.ownerId, linkId: to.link.id })) {
      throw new DeliveryDropped("Not sent: the run itself writes to this chat.");
    }
    const { words } = await preferencesOf(database, outgoing.ownerId);
    const { approvalId } = subject;
    if (approvalId !== undefined) return sendQuestion(database, outgoing, { to, approvalId, words });
    const { title, body, path, threadId } = await composeNotification(database, {
      runId: outgoing.runId,
      subject,
      words,
    });
    await sendNotice(database, outgoing, { to, threadId, title, body, path });
  },
};

interface Notice {
  readonly title: string;
  readonly body: string;
  /** The page that its button opens. */
  readonly path: string;
}

/** Sends what came up in quiet hours to the person's chat. */
export async function sendSummaryToChat(database: Database, outgoing: Outgoing, notice: Notice): Promise<void> {
  const to = await requireNoticeChat(database, outgoing);
  const run = await database.run.findUnique({ where: { id: outgoing.runId }, select: { threadId: true } });
  // What is only to be known comes from no run.
  if (!run && outgoing.runId !== "") throw new DeliveryDropped("Not sent: the run was deleted.");
  await sendNotice(database, outgoing, { to, threadId: run?.threadId ?? "", ...notice });
}

type To = Awaited<ReturnType<typeof requireChat>>;

async function requireNoticeChat(database: Database, outgoing: Outgoing): Promise<To> {
  const link = await findNoticeLink(database, outgoing.ownerId);
  if (!link) throw new DeliveryDropped("Not sent: no chat is linked. Link one under Channels in your settings.");
  return requireChat(database, outgoing, link.id);
}

async function sendNotice(
  database: Database,
  { id, runId, isRepeat }: Outgoing,
  { to, threadId, title, body, path }: Notice & { readonly to: To; readonly threadId: string },
): Promise<void> {
  const url = `${env().publicUrl.replace(/\/$/, "")}${path}`;
  const text = [`**${title}**`, body].filter(Boolean).join("\n");
  const content = { text, subject: title, buttons: [[{ label: "Open in the browser", url }]] };
  await sendParts(database, to, content, { deliveryId: id, runId, threadId, isRepeat });
}

interface Told {
  readonly ownerId: string;
  readonly linkId: string;
}

/** Whether the run's answers and questions go to that chat: it came from there, or its trigger delivers there. */
async function isToldByRun(database: Database, runId: string, { ownerId, linkId }: Told): Promise<boolean> {
  const run = await database.run.findUnique({
    where: { id: runId },
    select: { rootRunId: true, originDetails: true, status: true },
  });
  const root = run?.rootRunId
    ? await database.run.findUnique({ where: { id: run.rootRunId }, select: { originDetails: true } })
    : run;
  if (!run || !root?.originDetails) return false;
  const { triggerId } = OriginDetails.parse(JSON.parse(root.originDetails));
  if (triggerId === linkId) return true;
  // A schedule's questions go to no chat.
  if (triggerId === undefined || run.status === "waiting") return false;
  const trigger = await database.trigger.findUnique({ where: { id: triggerId } });
  const targets = trigger ? runPlanOf(trigger).deliver.flatMap(({ channel }) => channel ?? []) : [];
  const links = await Promise.all(targets.map((target) => findTargetLink(database, ownerId, target)));
  return links.some((link) => link?.id === linkId);
}

import "server-only";
import { NO_NOTIFICATIONS, NotificationWay, type PushMessage } from "@/lib/schema/users/notification";
import { effectiveRole, Role } from "@/lib/schema/users/user";
import { announceToUser } from "@/lib/server/engine/log/signals";
import type { Database } from "@/lib/server/platform/db/database";
import { env } from "@/lib/server/platform/env";
import { sendMail } from "@/lib/server/settings/mail";
import { currentSettings } from "@/lib/server/settings/settings-state";
import { sendSummaryToChat } from "@/lib/server/triggers/channels/notice-sender";
import { DeliveryDropped, type DeliverySender, type Outgoing } from "@/lib/server/triggers/targets/delivery-sender";
import { type Composed, composeNotification } from "./compose";
import { createDecisionToken } from "./decision-token";
import { queueNotifications } from "./notify-run";
import { preferencesOf } from "./preferences";
import { noteOutcome } from "./push-devices";
import { sendPush } from "./send-push";
import { composeSummary } from "./summary";
import { decisionText } from "./withdraw-pushes";

interface Owner {
  readonly id: string;
  readonly email: string;
  /** Whether the person may start runs and decide. */
  readonly canChat: boolean;
}

/** Throws `DeliveryDropped` for a person who is no longer active. */
async function requireOwner(database: Database, id: string): Promise<Owner> {
  const select = { email: true, role: true, groupRole: true, deactivatedAt: true } as const;
  const row = await database.user.findUnique({ where: { id }, select });
  if (!row || row.deactivatedAt !== null) throw new DeliveryDropped("Not sent: the person has been deactivated.");
  const role = effectiveRole(Role.catch("viewer").parse(row.role), Role.nullable().catch(null).parse(row.groupRole));
  return { id, email: row.email, canChat: role !== "viewer" };
}

async function compose(database: Database, { runId, ownerId, target }: Outgoing): Promise<Composed> {
  const subject = target.push ?? target.page ?? target.mail;
  if (!subject) throw new Error("The delivery names no notification.");
  const { words } = await preferencesOf(database, ownerId);
  const { kind, approvalId, noteId } = subject;
  // Whoever has the page open is signed in: it names at least who asks.
  const shown = target.page && words === "short" ? "who" : words;
  return composeNotification(database, { runId, subject: { kind, approvalId, noteId }, words: shown });
}

/** Sends to one browser. A message replaces an earlier one with the same tag there. */
export const pushSender: DeliverySender = {
  dropsRepeats: true,
  async send({ database }, outgoing) {
    const device = outgoing.target.push?.device ?? "";
    const row = await database.pushSubscription.findFirst({ where: { id: device, userId: outgoing.ownerId } });
    if (!row) throw new DeliveryDropped("Not sent: the browser was removed.");
    const owner = await requireOwner(database, outgoing.ownerId);
    const message = outgoing.target.push?.isDecided
      ? await decidedMessage(database, outgoing)
      : await toMessage(database, outgoing, owner);
    const outcome = await sendPush(database, row, message);
    await noteOutcome(database, row.id, outcome);
    if (outcome === "gone") throw new DeliveryDropped("Not sent: the browser takes no more messages and was removed.");
  },
};

/** Replaces the question on devices that still show it. */
async function decidedMessage(database: Database, { target, ownerId }: Outgoing): Promise<PushMessage> {
  const approvalId = target.push?.approvalId ?? "";
  const body = await decisionText(database, approvalId, ownerId);
  return { title: "Already decided", body, path: "/inbox", tag: approvalId, replaces: true };
}

async function toMessage(database: Database, outgoing: Outgoing, owner: Owner): Promise<PushMessage> {
  const { title, body, path, decides } = await compose(database, outgoing);
  const tag = decides?.approvalId ?? outgoing.id;
  const message = { title, body, path, tag };
  if (decides === null || !owner.canChat) return message;
  const token = await createDecisionToken(database, { ...decides, userId: owner.id }, new Date());
  return { ...message, token, mayAllow: decides.mayAllow };
}

/** Sends what occurred in quiet hours, once they have ended. */
export const summarySender: DeliverySender = {
  dropsRepeats: false,
  async send({ database }, outgoing) {
    const { id, runId, ownerId, target, body: items, isRepeat } = outgoing;
    const owner = await requireOwner(database, ownerId);
    const { title, lines, path } = await composeSummary(database, items);
    const { words } = await preferencesOf(database, ownerId);
    const body = words === "short" ? "" : lines.join("\n");
    if (target.summary?.way === "email") {
      const text = `${[body, `${env().publicUrl}${path}`].filter(Boolean).join("\n\n")}\n${FOOT}`;
      return mail(owner, { subject: title, text, isRepeat });
    }
    if (target.summary?.way === "channel") return sendSummaryToChat(database, outgoing, { title, body, path });
    const run = await database.run.findUnique({ where: { id: runId }, select: { threadId: true } });
    const device = target.summary?.device;
    if (device === undefined) {
      return announceToUser(ownerId, { type: "notification", threadId: run?.threadId ?? "", runId, title, body });
    }
    const row = await database.pushSubscription.findFirst({ where: { id: device, userId: ownerId } });
    if (!row) throw new DeliveryDropped("Not sent: the browser was removed.");
    await noteOutcome(database, row.id, await sendPush(database, row, { title, body, path, tag: id }));
  },
};

/** Sends to the person's open pages. */
export const pageSender: DeliverySender = {
  dropsRepeats: true,
  async send({ database }, outgoing) {
    await requireOwner(database, outgoing.ownerId);
    const { title, body, threadId } = await compose(database, outgoing);
    const { runId, ownerId } = outgoing;
    announceToUser(ownerId, { type: "notification", threadId, runId, title, body });
  },
};

/** Sends a short mail with a link to where the person decides or reads on, after signing in. */
export const mailSender: DeliverySender = {
  dropsRepeats: false,
  async send({ database }, outgoing) {
    const owner = await requireOwner(database, outgoing.ownerId);
    const { title, body, path } = await compose(database, outgoing);
    const text = [body, `${env().publicUrl}${path}`].filter(Boolean).join("\n\n");
    await mail(owner, { subject: title, text: `${text}\n${FOOT}`, isRepeat: outgoing.isRepeat });
  },
};

/** Sends the whole result of a schedule's run. */
export const emailSender: DeliverySender = {
  dropsRepeats: false,
  async send({ database }, { runId, ownerId, body, isRepeat }) {
    const owner = await requireOwner(database, ownerId);
    const run = await database.run.findUnique({
      where: { id: runId },
      select: { threadId: true, thread: { select: { title: true } } },
    });
    if (!run) throw new DeliveryDropped("Not sent: the run was deleted.");
    const subject = run.thread.title ?? "A run has finished";
    await mail(owner, { subject, text: `${body}\n\n${env().publicUrl}/threads/${run.threadId}\n`, isRepeat });
  },
};

const FOOT = "\nChoose what you are told under Notifications in your settings.\n";

interface Letter {
  readonly subject: string;
  readonly text: string;
  readonly isRepeat: boolean;
}

async function mail({ email }: Owner, { subject, text, isRepeat }: Letter): Promise<void> {
  const name = currentSettings().branding.name;
  const oneLine = subject.replace(/\s+/g, " ");
  const sent = await sendMail({ to: email, subject: `${name}: ${oneLine}${isRepeat ? " (again)" : ""}`, text });
  if (!sent.ok) throw new Error(sent.error ?? "The mail server did not take it.");
}

/** Implements a schedule's `notify`: the owner learns of the end in the ways they chose, otherwise in the page. */
export const notifySender: DeliverySender = {
  dropsRepeats: true,
  async send(services, { runId, ownerId }) {
    const { database } = services;
    await requireOwner(database, ownerId);
    const run = await database.run.findUnique({ where: { id: runId }, select: { status: true, endedAt: true } });
    if (!run) throw new DeliveryDropped("Not sent: the run was deleted.");
    const now = new Date();
    const kind = run.status === "completed" ? "finished" : "failed";
    const preferences = (await preferencesOf(database, ownerId)) ?? NO_NOTIFICATIONS;
    const chosen = NotificationWay.options.filter((way) => preferences.ways[kind][way]);
    const wanted: NotificationWay[] = chosen.length > 0 ? chosen : ["page", "push"];
    await queueNotifications(services, { runId, ownerId, subject: { kind }, wanted, preferences, at: now, now });
  },
};

import "server-only";
import { AgentConfig } from "@/lib/schema/agents/agent-config";
import { readBlob } from "@/lib/server/files/blobs";
import type { Database } from "@/lib/server/platform/db/database";
import { DeliveryDropped, type DeliverySender, type Outgoing } from "@/lib/server/triggers/targets/delivery-sender";
import { REFUSED, whyLinkPaused, whyPaused } from "@/lib/server/triggers/why-paused";
import { findAnswerKey } from "./answer-key";
import type { OutboundFile } from "./channel";
import type { LinkRow } from "./connection";
import { waitsForEarlier } from "./earlier-message";
import { findTargetLink } from "./links/last-link";
import { sendParts } from "./send-parts";

/** Sends the result of a run to the chat it came from or, for a schedule, to one of its owner's chats. */
export const resultSender: DeliverySender = {
  dropsRepeats: false,
  waitsUntil: waitsForEarlier,
  async send({ database }, outgoing) {
    const target = outgoing.target.channel ?? "last";
    const to = await requireChat(database, outgoing, target);
    const run = await requireRun(database, outgoing.runId);
    const text = await namingAgent(database, { ...run, body: outgoing.body, link: to.link });
    await sendParts(database, to, { text }, { ...run, ...sentAs(outgoing) });
  },
};

/** Sends what the tool `message` says. */
export const messageSender: DeliverySender = {
  dropsRepeats: false,
  waitsUntil: waitsForEarlier,
  async send({ database }, outgoing) {
    const { link = "", files = [] } = outgoing.target.message ?? {};
    const to = await requireChat(database, outgoing, link);
    const run = await requireRun(database, outgoing.runId);
    const text = await namingAgent(database, { ...run, body: outgoing.body, link: to.link });
    const read: OutboundFile[] = [];
    for (const { name, hash } of files) {
      const bytes = await readBlob(database, hash);
      if (!bytes) throw new DeliveryDropped(`Not sent: the file ${name} is no longer stored.`);
      read.push({ name, bytes });
    }
    await sendParts(database, to, { text, files: read }, { ...run, ...sentAs(outgoing) });
  },
};

function sentAs({ id, isRepeat }: Outgoing) {
  return { deliveryId: id, isRepeat };
}

/** A chat of the run's owner, who must still be active. Throws `DeliveryDropped`. */
export async function requireChat(database: Database, { ownerId }: Pick<Outgoing, "ownerId">, target: string) {
  const paused = await whyPaused(database, { ownerId });
  if (paused !== null) throw new DeliveryDropped(`Not sent: ${REFUSED[paused]}`);
  const link = await findTargetLink(database, ownerId, target);
  if (!link) {
    const why = target === "last" ? "no chat is linked that was used already" : "the chat was unlinked";
    throw new DeliveryDropped(`Not sent: ${why}. Link one under Channels in your settings.`);
  }
  const linkPaused = await whyLinkPaused(database, link);
  if (linkPaused !== null) throw new DeliveryDropped(`Not sent: ${REFUSED[linkPaused]}`);
  const channel = await database.channel.findUnique({ where: { id: link.channelId } });
  if (!channel?.enabled) throw new DeliveryDropped("Not sent: the channel is switched off.");
  return { link, channel };
}

/** Throws `DeliveryDropped`. */
async function requireRun(database: Database, runId: string) {
  const run = await database.run.findUnique({ where: { id: runId }, select: { threadId: true, origin: true } });
  if (!run) throw new DeliveryDropped("Not sent: the run was deleted.");
  return { runId, threadId: run.threadId, isHandedOver: run.origin === "handoff" };
}

interface Said {
  readonly runId: string;
  readonly threadId: string;
  readonly body: string;
  readonly link: Pick<LinkRow, "id" | "threadId">;
  /** Another agent has handed the conversation to the run's. */
  readonly isHandedOver: boolean;
}

/**
 * Prefixes the agent's name if it has just taken the chat over, or the message comes from another thread than the chat's
 * and stands in no thread of the service that would show it.
 */
async function namingAgent(database: Database, { runId, threadId, body, link, isHandedOver }: Said): Promise<string> {
  const isPlaced =
    threadId === link.threadId || (await findAnswerKey(database, { linkId: link.id, runId, threadId })) !== undefined;
  return isPlaced && !isHandedOver ? body : `**${(await agentOf(database, runId)).name}**\n${body}`;
}

/** The agent of the run; `versioned` as named in questions: "Writer v3". */
export async function agentOf(database: Database, runId: string) {
  const run = await database.run.findUnique({
    where: { id: runId },
    select: { agentVersion: { select: { config: true, number: true } } },
  });
  if (!run) return { name: "An agent", versioned: "an agent" };
  const { name } = AgentConfig.pick({ name: true }).strip().parse(JSON.parse(run.agentVersion.config));
  const { number } = run.agentVersion;
  return { name, versioned: number === null ? name : `${name} v${number}` };
}

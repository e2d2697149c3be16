import "server-only";
import { z } from "zod";
import { AppError } from "@/lib/schema/app-error";
import { type Decision, Question } from "@/lib/schema/runs/interrupt";
import { decideOnRun } from "@/lib/server/inbox/decide-on-run";
import type { Database } from "@/lib/server/platform/db/database";
import { logger } from "@/lib/server/platform/logger";
import type { Services } from "@/lib/server/platform/services";
import type { InboundPress } from "@/lib/server/triggers/channels/channel";
import { firstName, outcomeText } from "@/lib/server/triggers/channels/questions/question-message";
import { rejectUpdate } from "@/lib/server/triggers/channels/rejected-updates";
import {
  findDecisionToken,
  giveBackDecisionToken,
  spendDecisionToken,
} from "@/lib/server/triggers/notify/decision-token";
import { REFUSED, whyPaused } from "@/lib/server/triggers/why-paused";
import { pressHeld } from "./press-held";
import type { Received } from "./received";

type TokenRow = NonNullable<Awaited<ReturnType<typeof findDecisionToken>>>;

/**
 * Handles a button press in a chat: a decision that only the person asked can make, or what becomes of their held
 * messages.
 */
export async function pressButton(services: Services, received: Received, press: InboundPress): Promise<void> {
  const { channel, connection } = received.open;
  const text = (await pressHeld(services.database, received, press)) ?? (await answerOf(services, received, press));
  try {
    await channel.answerPress(connection, press, text);
  } catch (error) {
    logger().warn({ err: error, channelId: connection.channelId }, "could not answer a press of a button");
  }
}

async function answerOf(services: Services, { row, now }: Received, press: InboundPress): Promise<string> {
  const { database } = services;
  const { choice = "", token = "" } = /^(?<choice>[ad]|\d{1,2})\.(?<token>[\w-]{20,})$/.exec(press.data)?.groups ?? {};
  const found = token === "" ? null : await findDecisionToken(database, token);
  if (found === null || !(await isForChat(database, row.id, press, found))) {
    const detail = `${press.sender.name} pressed a button that was not given out here`;
    await rejectUpdate(database, { channelId: row.id, kind: "forged", detail, now });
    return "This button no longer works. Decide in the inbox.";
  }
  const presser = await database.channelLink.findFirst({
    where: { channelId: row.id, externalUser: press.sender.id },
    select: { userId: true },
    orderBy: { verifiedAt: "asc" },
  });
  const owner = await database.user.findUnique({
    where: { id: found.userId },
    select: { id: true, name: true },
  });
  if (!owner || presser?.userId !== owner.id) {
    const whose = firstName(owner?.name ?? "their owner");
    const detail = `${firstName(press.sender.name)} pressed a button of ${whose}'s question`;
    await rejectUpdate(database, { channelId: row.id, kind: "other_person", detail, now });
    return `Only ${whose} can decide this.`;
  }
  const paused = await whyPaused(database, { ownerId: owner.id });
  if (paused !== null) return REFUSED[paused];
  if (found.expiresAt <= now) return "This button no longer works. Decide in the inbox.";
  if (choice === "a" && !found.mayAllow) return "The whole call is not shown here. Open it in the browser.";
  return decide(services, { found, owner, choice, now });
}

/** Whether the message with the button was sent by the bot, in this chat, about that question. */
async function isForChat(
  database: Database,
  channelId: string,
  { chat, messageId }: InboundPress,
  { approvalId }: TokenRow,
): Promise<boolean> {
  const where = { channelId, externalChat: chat.id, messageId, approvalId };
  return (await database.channelMessage.count({ where })) > 0;
}

interface Deciding {
  readonly found: TokenRow;
  readonly owner: { readonly id: string; readonly name: string };
  readonly choice: string;
  readonly now: Date;
}

async function decide(services: Services, { found, owner, choice, now }: Deciding): Promise<string> {
  const { database } = services;
  const asked = await database.approval.findUnique({ where: { id: found.approvalId } });
  if (!asked) return "What was asked is gone, with its thread.";
  if (asked.status !== "pending" || !(await spendDecisionToken(database, found.hash, now))) {
    return outcomeText(database, asked, owner.id);
  }
  const verdict = verdictOf(asked.questions, choice);
  const decisions = [{ tool_call_id: asked.toolCallId, run_id: asked.runId, ...verdict }];
  try {
    await decideOnRun(services, { runId: asked.runId, decider: { ...owner, via: "channel" }, decisions });
    return "Done";
  } catch (error) {
    await giveBackDecisionToken(database, found.hash);
    if (!(error instanceof AppError)) throw error;
    const after = await database.approval.findUnique({ where: { id: asked.id } });
    return after && after.status !== "pending" ? outcomeText(database, after, owner.id) : error.message;
  }
}

function verdictOf(questions: string | null, choice: string): Pick<Decision, "decision" | "answers"> {
  if (choice === "a") return { decision: "allow" };
  if (choice === "d") return { decision: "deny" };
  const [question] = z.array(Question).parse(JSON.parse(questions ?? "[]"));
  return { decision: "answer", answers: [question?.options?.[Number(choice)] ?? ""] };
}

import "server-only";
import { AppError } from "@/lib/schema/app-error";
import type { PushDecisionBody } from "@/lib/schema/users/notification";
import { effectiveRole, Role } from "@/lib/schema/users/user";
import { checkRate, clientKey, countRate, type RateLimit } from "@/lib/server/http/rate-limit";
import type { Database } from "@/lib/server/platform/db/database";
import { logger } from "@/lib/server/platform/logger";
import type { Services } from "@/lib/server/platform/services";
import {
  findDecisionToken,
  giveBackDecisionToken,
  spendDecisionToken,
} from "@/lib/server/triggers/notify/decision-token";
import { decideOnRun } from "./decide-on-run";

const PUSH_DECISION: RateLimit = { name: "push-decision", limit: 20, windowMs: 15 * 60_000 };

/**
 * A decision made with a button of a push notification. The token is the caller's only credential: it is valid once,
 * for one approval and one person, who must still be active and allowed to decide. Throws `not_found` for a token that
 * was not issued or has expired, `forbidden`, `conflict` if it was already decided.
 */
export async function decideByPush(
  services: Services,
  { token, decision }: PushDecisionBody,
  headers: Headers,
  now = new Date(),
) {
  const { database } = services;
  const client = clientKey(headers);
  await checkRate(services, PUSH_DECISION, client);
  const row = await findDecisionToken(database, token);
  if (row === null || row.expiresAt <= now) {
    await countRate(services, PUSH_DECISION, client);
    logger().warn({ isKnown: row !== null }, "a button of a push was refused");
    throw new AppError("not_found", "This button no longer works. Decide in the inbox.");
  }
  if (decision === "allow" && !row.mayAllow) {
    throw new AppError("forbidden", "The whole call was not shown, so it can only be denied here. Open the inbox.");
  }
  const decider = await requireActive(database, row.userId);
  const asked = await database.approval.findUnique({
    where: { id: row.approvalId },
    select: { runId: true, toolCallId: true, status: true },
  });
  if (!asked) throw new AppError("not_found", "What was asked is gone, with its thread.");
  if (asked.status !== "pending") throw await alreadyDecided(database, row.approvalId);
  if (!(await spendDecisionToken(database, row.hash, now))) throw await alreadyDecided(database, row.approvalId);
  const decisions = [{ tool_call_id: asked.toolCallId, run_id: asked.runId, decision }];
  try {
    await decideOnRun(services, { runId: asked.runId, decider, decisions });
  } catch (error) {
    if (error instanceof AppError && (error.code === "conflict" || error.code === "not_waiting")) {
      throw await alreadyDecided(database, row.approvalId);
    }
    await giveBackDecisionToken(database, row.hash);
    throw error;
  }
  return { runId: asked.runId, decision };
}

/**
 * Administrators decide here only for themselves: decisions on other people's runs, which need admin rights, are made
 * on the page.
 */
async function requireActive(database: Database, id: string) {
  const select = { id: true, name: true, role: true, groupRole: true, deactivatedAt: true } as const;
  const user = await database.user.findUnique({ where: { id }, select });
  const role = effectiveRole(
    Role.catch("viewer").parse(user?.role),
    Role.nullable().catch(null).parse(user?.groupRole),
  );
  if (!user || user.deactivatedAt !== null || role === "viewer") {
    throw new AppError("forbidden", "The person whom this was sent to may no longer decide.");
  }
  return { id: user.id, name: user.name, via: "push" as const };
}

const STATUS: Readonly<Record<string, string>> = {
  approved: "Allowed",
  edited: "Edited and allowed",
  denied: "Denied",
  answered: "Answered",
  declined: "No longer open",
  expired: "Expired",
};
const WAY: Readonly<Record<string, string>> = {
  page: "in the thread",
  inbox: "in the inbox",
  api: "over the API",
  push: "from a notification",
};

async function alreadyDecided(database: Database, id: string): Promise<AppError> {
  const select = { status: true, decidedBy: true, decidedVia: true } as const;
  const row = await database.approval.findUnique({ where: { id }, select });
  const by = row?.decidedBy
    ? await database.user.findUnique({ where: { id: row.decidedBy }, select: { name: true } })
    : null;
  const words = [STATUS[row?.status ?? ""], by && `by ${by.name}`, WAY[row?.decidedVia ?? ""]].filter(Boolean);
  return new AppError("conflict", `Already decided. ${words.length === 0 ? "" : `${words.join(" ")}.`}`.trim());
}

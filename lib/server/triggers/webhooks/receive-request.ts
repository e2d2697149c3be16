import "server-only";
import { AppError } from "@/lib/schema/app-error";
import { refuseLargeTexts } from "@/lib/schema/messages/text-limits";
import { hasEnded, type RunStatus } from "@/lib/schema/runs/run";
import { StoredIncoming } from "@/lib/schema/webhooks/webhook";
import { loadCurrentVersion } from "@/lib/server/engine/agent-version";
import { refuseBlockedInput } from "@/lib/server/engine/guard-input";
import { ANONYMOUS_PROBLEMS, checkRate, clientKey, countRate, takeRate } from "@/lib/server/http/rate-limit";
import { createId } from "@/lib/server/platform/create-id";
import type { Database } from "@/lib/server/platform/db/database";
import { isTaken } from "@/lib/server/platform/db/errors";
import { accessOfOwner, EVERY_AGENT } from "@/lib/server/platform/db/queries/agent-access";
import {
  type FiringRow,
  insertFiringStatement,
  type TriggerRow,
} from "@/lib/server/platform/db/queries/dispatch/triggers";
import type { Services } from "@/lib/server/platform/services";
import { startClaimed } from "@/lib/server/triggers/start-claimed";
import { REFUSED, whyPaused } from "@/lib/server/triggers/why-paused";
import { followRun } from "@/lib/server/views/follow-run";
import { AUTOMATION_USER_ID } from "./automation-user";
import { recognizeRequest } from "./known-request";
import { renderPrompt } from "./render-prompt";
import { type SignedRequest, verifyRequest } from "./verify-request";
import { validSecrets } from "./webhook-secrets";

const MINUTE_MS = 60_000;

/** The run started by a request, now or when it first arrived. */
interface Started {
  readonly runId: string;
}

/**
 * Starts the run of a request, or finds the one already started for a repeat. The outcome is always recorded in a
 * firing. Throws `not_found`, `unauthorized`, `rate_limited`, `conflict`, `input_blocked`, `payload_too_large`.
 */
export async function receiveRequest(
  services: Services,
  hookId: string,
  request: SignedRequest,
  now = new Date(),
): Promise<Started> {
  const { database } = services;
  const trigger = await database.trigger.findFirst({ where: { id: hookId, kind: "webhook" } });
  if (!trigger) throw new AppError("not_found", "There is no such webhook.");
  const config = StoredIncoming.parse(JSON.parse(trigger.config));
  const client = clientKey(request.headers);
  await checkRate(services, ANONYMOUS_PROBLEMS, client);
  const secrets = await validSecrets(database, hookId, now);
  const { signature, header } = config;
  const verified = verifyRequest(request, { signature, header, secrets, nowMs: now.getTime() });
  if (!verified.ok) {
    await countRate(services, ANONYMOUS_PROBLEMS, client);
    await noteRefusal(database, hookId, verified.why, now);
    throw new AppError("unauthorized", verified.why);
  }
  const found = await recognizeRequest(database, hookId, verified.identity, { config, now });
  if (found.known === null) {
    const { key, externalId } = found;
    await claimRequest(services, { trigger, config, request, key, externalId, now });
  }
  await startClaimed(services, hookId, now);
  const where = found.known ? { id: found.known.id } : { triggerId_key: { triggerId: hookId, key: found.key } };
  return startedBy(await database.firing.findUnique({ where }));
}

function startedBy(firing: FiringRow | null): Started {
  if (firing?.state === "started" && firing.runId !== null) return { runId: firing.runId };
  throw new AppError("conflict", firing?.reason ?? "Nothing was started. Send it again.");
}

interface NewRequest {
  readonly trigger: TriggerRow;
  readonly config: StoredIncoming;
  readonly request: SignedRequest;
  readonly key: string;
  readonly externalId: string;
  readonly now: Date;
}

/**
 * Inserts the row that identifies the request, with its run's prompt: if the process dies here, the request is not
 * lost.
 */
async function claimRequest(services: Services, received: NewRequest): Promise<void> {
  const { database } = services;
  const { trigger, config, key, externalId, now } = received;
  await requireOn(database, trigger, now);
  await requireRate(services, trigger.id, config.rate_per_minute, now);
  const prompt = await promptOf(database, received);
  const row = { id: createId("fir"), triggerId: trigger.id, key, externalId, dueAt: now, createdAt: now };
  const refusal = await whyBlocked(database, trigger, prompt);
  const columns = refusal ? { state: "refused", reason: refusal.message } : { state: "claimed", prompt };
  try {
    await database.runAll([insertFiringStatement({ ...row, ...columns })]);
  } catch (error) {
    // The same request arrived twice concurrently.
    if (!isTaken(error)) throw error;
  }
  if (refusal) throw refusal;
}

/** Throws `payload_too_large` for a prompt that no message may have, and logs it. */
async function promptOf(database: Database, { trigger, config, request, now }: NewRequest): Promise<string> {
  try {
    const prompt = renderPrompt(config.prompt, new TextDecoder().decode(request.body));
    refuseLargeTexts([prompt]);
    return prompt;
  } catch (error) {
    if (error instanceof AppError) await noteRefusal(database, trigger.id, error.message, now);
    throw error;
  }
}

/**
 * Checks that the webhook is on and its user may have runs; otherwise logs the reason and starts nothing. Throws
 * `conflict`.
 */
async function requireOn(database: Database, trigger: TriggerRow, now: Date): Promise<void> {
  const reason = await whyOff(database, trigger);
  if (reason === null) return;
  await noteRefusal(database, trigger.id, reason, now);
  throw new AppError("conflict", reason);
}

/** A webhook that is off because of its person says so, not that it is off. */
async function whyOff(database: Database, trigger: TriggerRow): Promise<string | null> {
  const paused = await whyPaused(database, trigger);
  if (paused !== null) return REFUSED[paused];
  return trigger.enabled ? whyNotAs(database, trigger) : "The webhook is switched off.";
}

/** A person who has since become an administrator doesn't lend their rights. */
async function whyNotAs(database: Database, { ownerId }: TriggerRow): Promise<string | null> {
  const isAdmin = { OR: [{ role: "admin" }, { groupRole: "admin" }] };
  const count = await database.user.count({ where: { id: ownerId ?? "", ...isAdmin } });
  return count === 0 ? null : "It runs as an administrator now. Choose another person, or the user Automation.";
}

async function requireRate(services: Services, hookId: string, limit: number, now: Date): Promise<void> {
  try {
    await takeRate(services, { name: "hook", limit, windowMs: MINUTE_MS }, hookId, now.getTime());
  } catch (error) {
    await noteRefusal(services.database, hookId, `More than ${limit} requests a minute.`, now);
    throw error;
  }
}

/** The input guard's error if it blocks the prompt. Throws `conflict` for an agent that is gone. */
async function whyBlocked(database: Database, trigger: TriggerRow, prompt: string): Promise<AppError | null> {
  const { agentId, ownerId } = trigger;
  if (ownerId === null) return null;
  const access = ownerId === AUTOMATION_USER_ID ? EVERY_AGENT : accessOfOwner(ownerId);
  try {
    const version = await loadCurrentVersion(database, agentId, access);
    await refuseBlockedInput(database, { ownerId, version, messages: [{ role: "user", content: prompt }] });
    return null;
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return error.code === "not_found" ? new AppError("conflict", REFUSED.agent_deleted) : error;
  }
}

/** Counts refusals in one row per reason and minute, so that strangers can't fill the table. */
async function noteRefusal(database: Database, triggerId: string, reason: string, now: Date): Promise<void> {
  const minute = new Date(Math.floor(now.getTime() / MINUTE_MS) * MINUTE_MS);
  const key = `refused:${minute.toISOString()} ${reason}`;
  const count = () =>
    database.firing.updateMany({ where: { triggerId, key }, data: { count: { increment: 1 }, dueAt: now } });
  if ((await count()).count > 0) return;
  try {
    const data = { id: createId("fir"), triggerId, key, dueAt: now, createdAt: now, state: "refused", reason };
    await database.firing.create({ data, select: { id: true } });
  } catch (error) {
    if (!isTaken(error)) throw error;
    await count();
  }
}

/** How a run has ended, or null if it has not within `waitMs`. */
export async function waitForEnd(services: Services, runId: string, waitMs: number, signal: AbortSignal) {
  const { database } = services;
  const stop = AbortSignal.any([signal, AbortSignal.timeout(waitMs)]);
  for await (const _ of followRun(services, runId, 0, stop, "held-up"));
  const run = await database.run.findUniqueOrThrow({
    where: { id: runId },
    select: { status: true, assistantMessageId: true },
  });
  if (!hasEnded(run.status as RunStatus)) return null;
  const message = await database.transcriptMessage.findUnique({
    where: { id: run.assistantMessageId },
    select: { text: true },
  });
  return { status: run.status, response: message?.text ?? null };
}

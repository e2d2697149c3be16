import { AppError } from "@/lib/schema/app-error";
import type { ChatTrigger } from "@/lib/schema/channels/channel-link";
import type { PausedReason } from "@/lib/schema/triggers/schedule";
import { type RunRequest, startRun } from "@/lib/server/engine/accept";
import { cancelRun } from "@/lib/server/engine/ending/cancel";
import { createId } from "@/lib/server/platform/create-id";
import type { Database } from "@/lib/server/platform/db/database";
import { isNothingChanged } from "@/lib/server/platform/db/errors";
import { accessOfOwner, EVERY_AGENT } from "@/lib/server/platform/db/queries/agent-access";
import { selectRunningThreads } from "@/lib/server/platform/db/queries/dispatch/channels";
import {
  countFailureStatement,
  decideFiringStatement,
  type FiringRow,
  pauseTriggerStatement,
  selectGoingFiring,
} from "@/lib/server/platform/db/queries/dispatch/triggers";
import type { SqlStatement } from "@/lib/server/platform/db/sql-statement";
import { keyLimits } from "@/lib/server/platform/key-limits";
import type { Services } from "@/lib/server/platform/services";
import { withPictures } from "./channels/message-pictures";
import type { OwnedTrigger, RunPlan, TriggerKind } from "./trigger-kind";
import { runPlanOf, triggerKindOf } from "./trigger-kinds";
import { AUTOMATION_USER_ID } from "./webhooks/automation-user";
import { REFUSED, whyKeyPaused } from "./why-paused";

/** Starts the runs of claimed firings, oldest first, according to `overlap`. Safe to repeat, also concurrently. */
export async function startClaimed(services: Services, triggerId: string, now: Date): Promise<void> {
  const { database } = services;
  const claimed = await database.firing.findMany({
    where: { triggerId, state: "claimed" },
    orderBy: [{ dueAt: "asc" }, { id: "asc" }],
  });
  if (claimed.length === 0) return;
  const trigger = await database.trigger.findUnique({ where: { id: triggerId } });
  if (!trigger || trigger.ownerId === null) return;
  const owned = { ...trigger, ownerId: trigger.ownerId };
  const ended = await whyKeyPaused(database, owned);
  if (ended !== null) return refuseAll(database, owned, claimed, { ended, now });
  const plan = runPlanOf(trigger);
  let waiting = 0;
  for (const firing of claimed) {
    // More of the same message may still arrive.
    if (plan.chat !== undefined && firing.dueAt > now) continue;
    const isSecond = waiting > 0;
    const isHeld = await inGroupsTurn(database, plan.chat, async () => {
      const held = await findHold(database, { trigger: owned, plan, firing, isSecond });
      if (held === "no") await start(services, { trigger: owned, plan, firing, now });
      return held;
    });
    if (isHeld === "waits") waiting += 1;
  }
}

/**
 * Stores the messages of a chat whose runs have not begun, because more of the same message may arrive or their group is
 * busy, as held (D-96).
 */
export async function holdClaimed(services: Services, triggerId: string, now: Date): Promise<void> {
  const trigger = await services.database.trigger.findUnique({ where: { id: triggerId } });
  if (!trigger || trigger.ownerId === null) return;
  const claimed = await services.database.firing.findMany({
    where: { triggerId, state: "claimed" },
    orderBy: [{ dueAt: "asc" }, { id: "asc" }],
  });
  const owned = { ...trigger, ownerId: trigger.ownerId };
  const plan = runPlanOf(trigger);
  for (const firing of claimed) await start(services, { trigger: owned, plan, firing, now, isHeld: true });
}

/**
 * Messages of several people of a group may be due at the same moment: each sees those that began before it. The only
 * place that takes a second key, a thread's, within its own; nothing that holds a thread's asks for a group's.
 */
function inGroupsTurn<Result>(
  database: Database,
  chat: ChatTrigger | undefined,
  work: () => Promise<Result>,
): Promise<Result> {
  return chat?.chatKind === "group" ? database.exclusive(`group ${chat.channelId} ${chat.chatId}`, work) : work();
}

/** Of a key that may no longer start runs, nothing that was claimed before starts either. */
async function refuseAll(
  database: Database,
  { id }: OwnedTrigger,
  claimed: readonly FiringRow[],
  { ended, now }: { readonly ended: PausedReason; readonly now: Date },
): Promise<void> {
  const columns = { state: "refused", reason: REFUSED[ended], prompt: null };
  for (const firing of claimed) await decide(database, firing, columns, [pauseTriggerStatement(id, ended, now)]);
}

interface Claimed {
  readonly trigger: OwnedTrigger;
  readonly plan: RunPlan;
  readonly firing: FiringRow;
  /** The run is stored as held. */
  readonly isHeld?: boolean;
}

/** `waits`: the firing stays claimed until the previous run has ended. */
async function findHold(
  database: Database,
  { trigger, plan, firing, isSecond }: Claimed & { readonly isSecond: boolean },
): Promise<"no" | "waits" | "skipped"> {
  if (plan.chat?.chatKind === "group") return (await isGroupBusy(database, plan.chat, firing)) ? "waits" : "no";
  if (plan.overlap === "parallel") return "no";
  const going = await selectGoingFiring(database, { triggerId: trigger.id, exceptId: firing.id });
  if (!going && !isSecond) return "no";
  // The run already exists: this attempt only has to record it.
  if (await findRun(database, firing)) return "no";
  if (plan.overlap === "cancel_previous" && going) {
    await cancelRun(database, going.runId, trigger.ownerId);
    return "no";
  }
  if (plan.overlap === "queue" && !isSecond) return "waits";
  const reason = isSecond ? ALREADY_WAITING : STILL_GOING;
  await decide(database, firing, { state: "skipped", reason });
  return "skipped";
}

/** The number of threads of one group that may run concurrently (D-92). */
const GROUP_THREADS = 3;

async function isGroupBusy(database: Database, chat: ChatTrigger, firing: FiringRow): Promise<boolean> {
  const { channelId, chatId } = chat;
  const running = await selectRunningThreads(database, { channelId, chatId });
  return running.length >= GROUP_THREADS && !running.includes(firing.threadId ?? "");
}

const STILL_GOING = "Skipped: the run before it had not ended.";
const ALREADY_WAITING = "Skipped: another one was waiting for the run before it already.";

type Starting = Claimed & { readonly now: Date };

async function start(services: Services, starting: Starting): Promise<void> {
  const { database } = services;
  const { firing } = starting;
  const { precheck } = triggerKindOf(starting.trigger);
  try {
    const known = await findRun(database, firing);
    if (known) await decide(database, firing, { ...known, ...STARTED });
    else if (precheck !== undefined) await startChecked(services, starting, precheck);
    else await begin(services, starting, (run) => [decideFiringStatement(firing, { ...run, ...STARTED })]);
  } catch (error) {
    if (isNothingChanged(error) && (await isDecided(database, firing))) return;
    if (!(error instanceof AppError) || error.code === "unavailable" || error.code === "busy") throw error;
    await refuse(database, starting, error);
  }
}

/** A webhook's prompt and a chat's message are kept by the run from now on. */
const STARTED = { state: "started", prompt: null };

/** Starts the run, unless the look before it finds nothing to do. */
async function startChecked(
  services: Services,
  { now, ...claimed }: Starting,
  precheck: NonNullable<TriggerKind["precheck"]>,
): Promise<void> {
  const { trigger, plan, firing } = claimed;
  const found = await precheck(services, trigger, firing, now);
  const { columns, statements } = found;
  if ("stoppedBy" in found) {
    const { stoppedBy, reason } = found;
    return decide(services.database, firing, { state: "skipped", stoppedBy, reason, ...columns }, statements);
  }
  await begin(services, { ...claimed, plan: { ...plan, prompt: found.prompt } }, (run) => [
    decideFiringStatement(firing, { ...run, ...STARTED, ...columns }),
    ...statements,
  ]);
}

async function refuse(database: Database, { trigger, plan, firing, now }: Starting, error: AppError): Promise<void> {
  const limit = plan.pause_after_failures;
  const counted = limit === null ? [] : [countFailureStatement(trigger.id, limit, now)];
  const columns = { state: "refused", reason: `Not started: ${error.message}`, prompt: null };
  const paused = [pauseTriggerStatement(trigger.id, "agent_deleted", now)];
  await decide(database, firing, columns, error.code === "not_found" ? paused : counted);
}

/** The run and the decision on its firing are stored in one transaction, which fails if the firing is decided. */
async function begin(
  services: Services,
  { trigger, plan, firing, isHeld = false }: Claimed,
  decision: (run: FoundRun) => readonly SqlStatement[],
): Promise<void> {
  const { ownerId } = trigger;
  const { threadId, agentId } = await placeFor(services.database, { trigger, plan, firing });
  const request: RunRequest = {
    ownerId,
    agentId,
    threadId,
    ...(await reachOf(services.database, { trigger, firing, agentId })),
    messages: [{ role: "user", ...(await messageOf(services, threadId, { trigger, plan, firing })) }],
    idempotencyKey: keyOf(firing),
    origin: plan.origin,
    ...(plan.chat === undefined ? { attended: false } : {}),
    canAsk: plan.on_ask === "wait",
    canHandOff: plan.chat !== undefined,
    fromPerson: plan.chat !== undefined,
    isHeld,
    noHistory: plan.no_history,
    ...(plan.model === undefined ? {} : { modelOverride: plan.model }),
    ...(plan.default_response === undefined ? {} : { defaultResponse: plan.default_response }),
    ...(plan.compact ? {} : { compact: false }),
    trigger: {
      details: { triggerId: trigger.id, firingId: firing.id, ...originOf(plan) },
      ...(plan.rules === null ? {} : { rules: { id: trigger.id, name: trigger.name, ...plan.rules } }),
    },
    recordedWith: (runId) => decision({ runId, threadId }),
  };
  await startRun(services.database, request);
}

/** As whom the run is started, and the API key that it counts for. Throws `conflict` once that has ended. */
async function reachOf(
  database: Database,
  { trigger, firing, agentId }: Pick<Claimed, "trigger" | "firing"> & { readonly agentId: string },
): Promise<Pick<RunRequest, "access" | "apiKeyId">> {
  const { ownerId } = trigger;
  const access = ownerId === AUTOMATION_USER_ID ? EVERY_AGENT : accessOfOwner(ownerId);
  const apiKeyId = firing.apiKeyId ?? trigger.apiKeyId;
  if (apiKeyId === null) return { access };
  const ended = await whyKeyPaused(database, { apiKeyId, agentId: trigger.agentId });
  if (ended !== null) throw new AppError("conflict", REFUSED[ended]);
  // Whoever took over in a chat was reached from there.
  const { reach } = agentId === trigger.agentId ? await keyLimits(database, apiKeyId) : {};
  return { apiKeyId, access: { ...access, ...(reach === undefined ? {} : { key: reach }) } };
}

/** With the pictures among the files of a chat's message. */
async function messageOf(
  services: Services,
  threadId: string,
  { trigger, plan, firing }: Pick<Claimed, "trigger" | "plan" | "firing">,
) {
  const content = firing.prompt ?? plan.prompt;
  return plan.chat === undefined ? { content } : withPictures(services, threadId, trigger.ownerId, content);
}

function originOf({ chat }: RunPlan) {
  return chat === undefined ? {} : { channel: chat.channel, chatId: chat.chatId, sender: chat.sender };
}

/** A chat message has a fixed thread from the beginning, whichever agent answers there now. */
async function placeFor(database: Database, { trigger, plan, firing }: Claimed) {
  if (plan.chat === undefined || firing.threadId === null) {
    return { threadId: await threadFor(database, trigger, plan, firing), agentId: trigger.agentId };
  }
  const where = { id: firing.threadId, ownerId: trigger.ownerId, deletedAt: null };
  const thread = await database.thread.findFirst({ where, select: { agentId: true, activeAgentId: true } });
  if (!thread) throw new AppError("conflict", "The thread of this chat was deleted. Write again.");
  return { threadId: firing.threadId, agentId: thread.activeAgentId ?? thread.agentId };
}

function keyOf({ id }: FiringRow): string {
  return `firing:${id}`;
}

interface FoundRun {
  readonly runId: string;
  readonly threadId: string;
}

/** The run of a firing that an earlier release recorded after its run, and that it died before recording. */
async function findRun(database: Database, firing: FiringRow): Promise<FoundRun | null> {
  const { threadId } = firing;
  if (threadId === null) return null;
  const key = { threadId, idempotencyKey: keyOf(firing) };
  const run = await database.run.findUnique({ where: { threadId_idempotencyKey: key }, select: { id: true } });
  return run && { runId: run.id, threadId };
}

/** Input from outside never works on a person's files. */
const OWN_FILES = { fileScope: "thread" };

/** Throws `conflict` if the chosen thread is gone. */
async function threadFor(
  database: Database,
  { id: triggerId, ownerId, agentId, name, kind }: OwnedTrigger,
  { thread, rules }: RunPlan,
  firing: FiringRow,
): Promise<string> {
  if (thread !== "new" && thread !== "same") {
    const found = await database.thread.findFirst({
      where: { id: thread, ownerId, agentId, deletedAt: null, isTest: false },
      select: { id: true },
    });
    if (!found) throw new AppError("conflict", "The thread that was chosen for it is gone. Choose another one.");
    return found.id;
  }
  const id = createId("th");
  const clientId = `${triggerKindOf({ kind }).noun}:${thread === "same" ? triggerId : firing.id}`;
  const opened = await database.thread.upsert({
    where: { ownerId_agentId_clientId: { ownerId, agentId, clientId } },
    create: { id, ownerId, agentId, clientId, title: name, titled: true, ...(rules?.isConfined ? OWN_FILES : {}) },
    update: { deletedAt: null },
    select: { id: true },
  });
  return opened.id;
}

/** Whether another attempt was faster. */
async function isDecided(database: Database, { id }: FiringRow): Promise<boolean> {
  return (await database.firing.count({ where: { id, state: "claimed" } })) === 0;
}

/** Another attempt may have been faster; its decision holds. */
async function decide(
  database: Database,
  firing: FiringRow,
  columns: Parameters<typeof decideFiringStatement>[1],
  more: readonly SqlStatement[] = [],
): Promise<void> {
  try {
    await database.runAll([decideFiringStatement(firing, columns), ...more]);
  } catch (error) {
    if (!isNothingChanged(error)) throw error;
  }
}

import type { Database } from "../../lib/server/platform/db/database";
import type { Receivers } from "./receivers";

export interface SchedulePlan {
  readonly everyMs: number;
  readonly firstDueAt: Date;
}

/** The kinds of loss and duplication. */
type Fault = "firingsLost" | "firingsDoubled" | "messagesLost" | "messagesDoubled" | "unsettled";

export interface FiringCounts extends Record<Fault, number> {
  /** Due times. */
  readonly due: number;
  readonly runs: number;
  readonly messages: number;
  /** Not faults: requests that the webhook deduplicates by their id, mails marked "(again)". */
  readonly repeatsById: number;
  readonly markedAgain: number;
  /** Two attempts were killed before their end was recorded: the page shows it with Resend. */
  readonly leftToResend: number;
  readonly problems: readonly string[];
}

/** Compares what was stored and what has arrived with the due times; everything must have settled. */
export async function checkFirings(
  database: Database,
  receivers: Receivers,
  plans: ReadonlyMap<string, SchedulePlan>,
): Promise<FiringCounts> {
  const orderBy = { id: "asc" } as const;
  const rows = {
    firings: await database.firing.findMany({ orderBy }),
    triggers: await database.trigger.findMany({ orderBy }),
    runs: await database.run.findMany({ where: { origin: "schedule" }, orderBy }),
    deliveries: await database.delivery.findMany({ orderBy }),
  };
  const faults: [Fault, string][] = [];
  const wrong = (fault: Fault, sentence: string) => void faults.push([fault, sentence]);
  const due = checkDueTimes(rows, plans, wrong);
  checkRuns(rows, wrong);
  const leftToResend = checkMessages(rows, receivers, wrong);
  const times = (fault: Fault) => faults.filter(([one]) => one === fault).length;
  return {
    due,
    runs: rows.runs.length,
    messages: rows.deliveries.length,
    leftToResend,
    firingsLost: times("firingsLost"),
    firingsDoubled: times("firingsDoubled"),
    messagesLost: times("messagesLost"),
    messagesDoubled: times("messagesDoubled"),
    unsettled: times("unsettled"),
    repeatsById: [...receivers.posted.values()].reduce((sum, count) => sum + count - 1, 0),
    markedAgain: [...receivers.mails.values()].reduce((sum, { again }) => sum + again, 0),
    problems: faults.map(([, sentence]) => sentence),
  };
}

type Rows<Name extends "firing" | "trigger" | "run" | "delivery"> = Awaited<ReturnType<Database[Name]["findMany"]>>;

interface Stored {
  readonly firings: Rows<"firing">;
  readonly triggers: Rows<"trigger">;
  readonly runs: Rows<"run">;
  readonly deliveries: Rows<"delivery">;
}

type Wrong = (fault: Fault, sentence: string) => void;

/** Each due time has one row that accounts for it: a run, or skipped, or one of those that were missed together. */
function checkDueTimes({ firings, triggers }: Stored, plans: ReadonlyMap<string, SchedulePlan>, wrong: Wrong): number {
  let due = 0;
  for (const { id, nextDueAt } of triggers) {
    const plan = plans.get(id);
    if (!plan || nextDueAt === null) throw new Error(`${id} is no longer due.`);
    const covered = firings
      .filter(({ triggerId }) => triggerId === id)
      .flatMap(({ dueAt, count }) => Array.from({ length: count }, (_, at) => dueAt.getTime() + at * plan.everyMs));
    for (let at = plan.firstDueAt.getTime(); at < nextDueAt.getTime(); at += plan.everyMs) {
      due += 1;
      const rows = covered.filter((time) => time === at).length;
      if (rows === 0) wrong("firingsLost", `${id}: ${new Date(at).toISOString()} left no firing`);
      if (rows > 1) wrong("firingsDoubled", `${id}: ${new Date(at).toISOString()} has ${rows} firings`);
    }
  }
  return due;
}

/** Each started firing has one run, which has completed. */
function checkRuns({ firings, runs }: Stored, wrong: Wrong): void {
  const runsByKey = Map.groupBy(runs, ({ idempotencyKey }) => idempotencyKey ?? "");
  const started = firings.filter(({ state }) => state === "started");
  const counted = started.map(({ id }) => ({ id, count: runsByKey.get(`firing:${id}`)?.length ?? 0 }));
  for (const { id } of counted.filter(({ count }) => count === 0)) wrong("firingsLost", `firing ${id} has no run`);
  for (const { id } of counted.filter(({ count }) => count > 1)) wrong("firingsDoubled", `firing ${id} has two runs`);
  if (runs.length > started.length) wrong("firingsDoubled", `${runs.length - started.length} runs have no firing`);
  const undecided = firings.filter(({ state }) => state === "claimed" || state === "refused");
  for (const { id, state, reason } of undecided) wrong("unsettled", `firing ${id} is ${state}: ${reason}`);
  const unfinished = runs.filter(({ status }) => status !== "completed");
  for (const { id, status } of unfinished) wrong("unsettled", `run ${id} is ${status}`);
}

/** Each message has arrived: by webhook under one id, by mail once, and once more only if it says so. */
function checkMessages({ runs, deliveries }: Stored, { posted, mails }: Receivers, wrong: Wrong): number {
  const ofRun = Map.groupBy(deliveries, ({ runId }) => runId);
  let leftToResend = 0;
  for (const { id, threadId } of runs) {
    const posts = ofRun.get(id)?.filter(({ webhookId }) => webhookId !== null) ?? [];
    const letters = ofRun.get(id)?.filter(({ webhookId }) => webhookId === null) ?? [];
    if (posts.length === 0) wrong("messagesLost", `run ${id} has no delivery`);
    if (posts.length > 1 || letters.length > 1) wrong("messagesDoubled", `run ${id} has too many deliveries`);
    for (const post of posts.filter((one) => !posted.has(one.id)))
      wrong("messagesLost", `delivery ${post.id} (${post.state}) has not arrived`);
    for (const letter of letters) leftToResend += checkLetter(letter, mails.get(threadId), wrong);
  }
  return leftToResend;
}

type Arrived = ReturnType<Receivers["mails"]["get"]>;

/** 1 for a mail whose two attempts were both killed: a person decides whether to resend it. */
function checkLetter({ id, state, sentAt }: Stored["deliveries"][number], arrived: Arrived, wrong: Wrong): 0 | 1 {
  const { plain, again } = arrived ?? { plain: 0, again: 0 };
  if (plain > 1 || again > 1) wrong("messagesDoubled", `mail ${id}: ${plain} unmarked, ${again} marked`);
  if (state === "uncertain" && sentAt === null) return 1;
  if (plain + again === 0) wrong("messagesLost", `mail ${id} (${state}) has not arrived`);
  return 0;
}

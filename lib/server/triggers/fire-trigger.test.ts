import { beforeEach, describe, expect, test } from "vitest";
import type { ModelPort } from "@/lib/agent/model";
import { scriptedModel } from "@/lib/models/scripted-model";
import { AppError } from "@/lib/schema/app-error";
import { startRun } from "@/lib/server/engine/accept";
import { cancelRun } from "@/lib/server/engine/ending/cancel";
import type { Database } from "@/lib/server/platform/db/database";
import type { SqlRow } from "@/lib/server/platform/db/sql-statement";
import { servicesOf } from "@/lib/testing/databases/services-of";
import { addAgent, reached, runDatabase, say, seedThread } from "@/lib/testing/fixtures/run-fixture";
import { addSchedule } from "@/lib/testing/fixtures/trigger-fixture";
import { cleanReplies } from "@/lib/text/sanitize/clean-replies";
import { fireTrigger } from "./fire-trigger";
import { settleTrigger, sweepTriggers } from "./settle-firing";

const DUE = new Date("2026-11-02T09:00:00.000Z");
const later = (minutes: number) => new Date(DUE.getTime() + minutes * 60_000);

const { database, startHost, statusOf } = runDatabase();

const firings = (triggerId = "trg1") =>
  database().firing.findMany({ where: { triggerId }, orderBy: [{ dueAt: "asc" }, { key: "asc" }] });
const states = async () => (await firings()).map(({ state }) => state);
const trigger = () => database().trigger.findUniqueOrThrow({ where: { id: "trg1" } });
const runs = () => database().run.findMany({ orderBy: { createdAt: "asc" } });
const host = (...script: Parameters<typeof scriptedModel>[0]) =>
  startHost({ model: scriptedModel(script), afterRun: async () => undefined });

beforeEach(() => seedThread(database()));

/** Waits until the run has ended as scripted, then settles its trigger. */
async function finish(runId: string, at: Date): Promise<void> {
  await reached(async () => ["completed", "failed", "cancelled"].includes(await statusOf(runId)));
  await settleTrigger(servicesOf(database()), "trg1", at);
}

test("a schedule that is due starts an unattended run of its owner in a thread of its own, and is due again", async () => {
  await addSchedule(database(), {}, { nextDueAt: DUE });
  await fireTrigger(servicesOf(database()), "trg1", DUE);
  const [run] = await runs();
  expect(run).toMatchObject({ ownerId: "u1", agentId: "agent", origin: "schedule", attended: false });
  const [firing] = await firings();
  expect(firing).toMatchObject({ state: "started", runId: run?.id, threadId: run?.threadId, reason: null });
  expect(JSON.parse(run?.originDetails ?? "{}")).toEqual({ triggerId: "trg1", firingId: firing?.id });
  expect((await trigger()).nextDueAt).toEqual(later(60));
  expect(await database().thread.findUnique({ where: { id: run?.threadId ?? "" } })).toMatchObject({
    title: "Morning brief",
  });
});

test("nothing fires before it is due: a clock that was set back waits", async () => {
  await addSchedule(database(), {}, { nextDueAt: DUE });
  await fireTrigger(servicesOf(database()), "trg1", later(-5));
  expect(await firings()).toEqual([]);
  expect((await trigger()).nextDueAt).toEqual(DUE);
});

test("an occurrence that many see at once starts one run", async () => {
  await addSchedule(database(), {}, { nextDueAt: DUE });
  await Promise.all(Array.from({ length: 8 }, () => fireTrigger(servicesOf(database()), "trg1", DUE)));
  expect(await runs()).toHaveLength(1);
  expect(await states()).toEqual(["started"]);
});

test("an attempt that saw the run before it still going can't skip a firing that another has started since", async () => {
  await addSchedule(database(), { overlap: "skip" }, { nextDueAt: DUE });
  await fireTrigger(servicesOf(database()), "trg1", DUE);
  const [first] = await runs();
  if (!first) throw new Error("There is no run.");
  const sawIt = Promise.withResolvers<void>();
  const started = Promise.withResolvers<void>();
  const slow = betweenStatements(async (sql, run) => {
    if (!sql.startsWith('update "firing"')) return run();
    sawIt.resolve();
    await started.promise;
    return run();
  });
  const late = fireTrigger(servicesOf(slow), "trg1", later(60));
  await sawIt.promise;
  await cancelRun(database(), first.id, "u1");
  const fast = betweenStatements(async (sql, run) => {
    const rows = await run();
    if (!sql.includes('insert into "run"')) return rows;
    started.resolve();
    await late;
    return rows;
  });
  await fireTrigger(servicesOf(fast), "trg1", later(60));
  const [, second] = await runs();
  expect((await firings())[1]).toMatchObject({ state: "started", runId: second?.id });
});

test.each([
  ["switched off", { enabled: false, nextDueAt: null }],
  ["moved to another time", { enabled: true, nextDueAt: later(600) }],
])("a schedule that is %s just before it is claimed stays so, and starts nothing", async (_, change) => {
  await addSchedule(database(), {}, { nextDueAt: DUE });
  const slow = betweenStatements(async (sql, run) => {
    if (sql.includes('insert into "firing"')) await database().trigger.update({ where: { id: "trg1" }, data: change });
    return run();
  });
  await fireTrigger(servicesOf(slow), "trg1", DUE);
  expect(await trigger()).toMatchObject(change);
  expect(await firings()).toEqual([]);
});

test("two who settle the end of a run at once record and deliver it once", async () => {
  await addSchedule(database(), { deliver: [{ notify: true }] }, { nextDueAt: DUE });
  host({ text: "All is well." });
  await fireTrigger(servicesOf(database()), "trg1", DUE);
  const [run] = await runs();
  await reached(async () => (await statusOf(run?.id ?? "")) === "completed");
  const both = Promise.withResolvers<void>();
  let waiting = 0;
  const slow = betweenStatements(async (sql, go) => {
    if (!sql.startsWith('update "firing"')) return go();
    waiting += 1;
    if (waiting === 2) both.resolve();
    await both.promise;
    return go();
  });
  await Promise.all([1, 2].map(() => settleTrigger(servicesOf(slow), "trg1", DUE)));
  expect(await database().delivery.count()).toBe(1);
});

/** The database of an attempt that is interrupted: `around` runs each list of statements, whose text it gets. */
function betweenStatements(around: (sql: string, run: () => Promise<SqlRow[][]>) => Promise<SqlRow[][]>): Database {
  const real = database();
  const runAll: Database["runAll"] = (statements, durability) =>
    around(statements.map(({ sql }) => sql).join("; "), () => real.runAll(statements, durability));
  return new Proxy(real, {
    get: (target, name) => (name === "runAll" ? runAll : Reflect.get(target, name)),
  });
}

test("a clock that is set back after a firing does not fire it again", async () => {
  await addSchedule(database(), {}, { nextDueAt: DUE });
  await fireTrigger(servicesOf(database()), "trg1", DUE);
  await fireTrigger(servicesOf(database()), "trg1", later(-120));
  await fireTrigger(servicesOf(database()), "trg1", later(1));
  expect(await runs()).toHaveLength(1);
});

describe("a process that died", () => {
  test("after the claim: the next attempt starts the run", async () => {
    await addSchedule(database(), {}, { nextDueAt: null });
    const claimed = { triggerId: "trg1", key: DUE.toISOString(), dueAt: DUE, state: "claimed" };
    await database().firing.create({ data: { id: "fir1", ...claimed } });
    await sweepTriggers(servicesOf(database()));
    expect(await states()).toEqual(["started"]);
    expect(await runs()).toHaveLength(1);
  });

  test("after the start: the next attempt finds the run, also when the prompt has changed since", async () => {
    await addSchedule(database(), {}, { nextDueAt: DUE });
    await fireTrigger(servicesOf(database()), "trg1", DUE);
    const [run] = await runs();
    await database().firing.updateMany({ data: { state: "claimed", runId: null } });
    const { config } = await trigger();
    const changed = JSON.stringify({ ...JSON.parse(config), prompt: "Something else." });
    await database().trigger.update({ where: { id: "trg1" }, data: { config: changed } });
    await fireTrigger(servicesOf(database()), "trg1", DUE);
    expect(await firings()).toMatchObject([{ state: "started", runId: run?.id }]);
    expect(await runs()).toHaveLength(1);
  });
});

describe("while its last run has not ended", () => {
  const fireTwice = async (overlap: string) => {
    await addSchedule(database(), { overlap }, { nextDueAt: DUE });
    await fireTrigger(servicesOf(database()), "trg1", DUE);
    await fireTrigger(servicesOf(database()), "trg1", later(60));
  };

  test("skip leaves a row that says so", async () => {
    await fireTwice("skip");
    expect(await runs()).toHaveLength(1);
    expect((await firings())[1]).toMatchObject({ state: "skipped", reason: expect.stringMatching(/had not ended/) });
  });

  test("queue starts it when that one has ended, and lets only one wait", async () => {
    await fireTwice("queue");
    await fireTrigger(servicesOf(database()), "trg1", later(120));
    expect(await states()).toEqual(["started", "claimed", "skipped"]);
    const [first] = await runs();
    await cancelRun(database(), first?.id ?? "", "u1");
    await settleTrigger(servicesOf(database()), "trg1", later(130));
    expect(await states()).toEqual(["started", "started", "skipped"]);
    expect(await runs()).toHaveLength(2);
  });

  test("cancel_previous ends the old one and starts the new one", async () => {
    await fireTwice("cancel_previous");
    expect((await runs()).map(({ status }) => status)).toEqual(["cancelled", "queued"]);
  });
});

describe("due times that were missed", () => {
  test("make one run and one row that says how many, from when to when", async () => {
    await addSchedule(database(), { timezone: "UTC" }, { nextDueAt: DUE });
    await fireTrigger(servicesOf(database()), "trg1", later(3 * 60 + 20));
    const [missed, ran] = await firings();
    expect(missed).toMatchObject({ state: "missed", count: 3, dueAt: DUE, runId: null });
    expect(missed?.reason).toMatch(/^3 due times were missed, from 2 Nov, 09:00 to 2 Nov, 12:00/);
    expect(ran).toMatchObject({ state: "started", dueAt: later(180), reason: "Missed, then run 20 min late." });
    expect((await trigger()).nextDueAt).toEqual(later(240));
  });

  test("start nothing when they are to be skipped, or are older than the grace", async () => {
    await addSchedule(database(), { missed: "skip" }, { nextDueAt: DUE });
    await addSchedule(database(), { grace: "10m" }, { id: "trg2", nextDueAt: DUE });
    for (const id of ["trg1", "trg2"]) await fireTrigger(servicesOf(database()), id, later(20));
    for (const id of ["trg1", "trg2"]) {
      expect(await firings(id)).toMatchObject([{ state: "missed", count: 1, runId: null }]);
    }
    expect(await runs()).toEqual([]);
  });

  test.each([
    { lateMs: 5_000, config: { missed: "skip" }, reason: null },
    { lateMs: 5_001, config: { missed: "skip" }, reason: undefined },
    { lateMs: 5_000, config: { grace: "1s" }, reason: null },
    { lateMs: 20_000, config: { grace: "20s" }, reason: "Run 20 s late." },
    { lateMs: 20_001, config: { grace: "20s" }, reason: undefined },
    { lateMs: 59_000, config: { grace: "2m" }, reason: "Run 59 s late." },
    { lateMs: 60_001, config: { grace: "60s" }, reason: undefined },
    { lateMs: 61_000, config: { grace: "2m" }, reason: "Missed, then run 1 min late." },
  ])("are told from those on time to the millisecond: $lateMs ms with $config", async ({ lateMs, config, reason }) => {
    await addSchedule(database(), config, { nextDueAt: DUE });
    await fireTrigger(servicesOf(database()), "trg1", new Date(DUE.getTime() + lateMs));
    expect(await firings()).toMatchObject([
      reason === undefined ? { state: "missed", count: 1, runId: null } : { state: "started", reason },
    ]);
  });

  test.each([
    { config: { missed: "skip" }, madeUp: "" },
    { config: { grace: "1s" }, madeUp: "" },
    { config: {}, lateMs: 8_000, madeUp: " One run makes up for them." },
  ])(
    "below a minute are named with their seconds, and as made up for only if a late run does: $config",
    async ({ config, lateMs = 0, madeUp }) => {
      const due = new Date(DUE.getTime() + 10_000);
      await addSchedule(database(), { every: "10s", timezone: "UTC", ...config }, { nextDueAt: due });
      await fireTrigger(servicesOf(database()), "trg1", new Date(due.getTime() + 20_000 + lateMs));
      const [missed, ran] = await firings();
      expect(ran).toMatchObject({ state: "started" });
      expect(missed?.reason).toBe(
        `2 due times were missed, from 2 Nov, 09:00:10 to 2 Nov, 09:00:30: no run could begin for ${20 + lateMs / 1_000} s.${madeUp}`,
      );
    },
  );

  test("one that is due only now runs, whatever happens to those before it", async () => {
    await addSchedule(database(), { missed: "skip" }, { nextDueAt: DUE });
    await fireTrigger(servicesOf(database()), "trg1", later(60));
    expect(await states()).toEqual(["missed", "started"]);
  });
});

test("a schedule for one moment is off once it was due", async () => {
  await addSchedule(database(), { at: "2026-11-02T09:00:00Z" }, { nextDueAt: DUE });
  await fireTrigger(servicesOf(database()), "trg1", DUE);
  expect(await trigger()).toMatchObject({ enabled: false, nextDueAt: null, pausedReason: "never_due" });
  expect(await runs()).toHaveLength(1);
});

test("failures in a row pause it and say so; a run that ends well clears them", async () => {
  await addSchedule(database(), { pause_after_failures: 2 }, { nextDueAt: DUE });
  const broken = new AppError("model_failed", "The key was refused.");
  const outcomes = [broken, null, broken, broken];
  const model = scriptedModel(["Fine."]);
  const call: ModelPort["call"] = (...given) => {
    const error = outcomes.shift();
    return error ? Promise.reject(error) : model.call(...given);
  };
  await startHost({ model: { ...model, call } });
  const seen: [number, boolean][] = [];
  for (let hour = 0; hour < 4; hour++) {
    await fireTrigger(servicesOf(database()), "trg1", later(hour * 60));
    await finish((await runs())[hour]?.id ?? "", later(hour * 60 + 1));
    await settleTrigger(servicesOf(database()), "trg1", later(hour * 60 + 2));
    const { failures, enabled } = await trigger();
    seen.push([failures, enabled]);
  }
  expect(seen).toEqual([
    [1, true],
    [0, true],
    [1, true],
    [2, false],
  ]);
  expect(await trigger()).toMatchObject({ pausedReason: "failures", nextDueAt: null });
});

test("an owner who was deactivated, or may start no runs any more, pauses it: the firing says why", async () => {
  await addSchedule(database(), {}, { nextDueAt: DUE });
  await database().user.update({ where: { id: "u1" }, data: { role: "viewer" } });
  await fireTrigger(servicesOf(database()), "trg1", DUE);
  expect(await firings()).toMatchObject([{ state: "refused", reason: "Its owner may no longer start runs." }]);
  expect(await trigger()).toMatchObject({ enabled: false, pausedReason: "owner_demoted", nextDueAt: null });
  expect(await runs()).toEqual([]);
});

test("the role that a group gives its owner counts as their own: a viewer in a group of members starts runs", async () => {
  await addSchedule(database(), {}, { nextDueAt: DUE });
  await database().user.update({ where: { id: "u1" }, data: { role: "viewer", groupRole: "member" } });
  await fireTrigger(servicesOf(database()), "trg1", DUE);
  expect(await states()).toEqual(["started"]);
  await database().user.update({ where: { id: "u1" }, data: { groupRole: null } });
  await fireTrigger(servicesOf(database()), "trg1", later(60));
  expect(await states()).toEqual(["started", "refused"]);
});

test("an agent that is gone pauses it", async () => {
  await addSchedule(database(), {}, { nextDueAt: DUE });
  await database().agent.update({ where: { id: "agent" }, data: { deletedAt: new Date() } });
  await fireTrigger(servicesOf(database()), "trg1", DUE);
  expect(await states()).toEqual(["refused"]);
  expect(await trigger()).toMatchObject({ enabled: false, pausedReason: "agent_deleted" });
});

test("in a thread that people use it waits behind their runs and declines nothing", async () => {
  await addAgent(database(), "strict", { name: "Strict", model: "scripted:x", threads: { on_busy: "reject" } });
  await database().thread.create({ data: { id: "th9", ownerId: "u1", agentId: "strict", clientId: "th9" } });
  const { runId } = await say(database(), "Hello", { threadId: "th9", agentId: "strict" });
  await addSchedule(database(), { thread: "th9" }, { agentId: "strict", nextDueAt: DUE });
  await fireTrigger(servicesOf(database()), "trg1", DUE);
  expect(await states()).toEqual(["started"]);
  expect(await statusOf(runId)).toBe("queued");
  const person = {
    ownerId: "u1",
    threadId: "th9",
    agentId: "strict",
    messages: [{ role: "user" as const, content: "x" }],
  };
  await expect(startRun(database(), person)).rejects.toThrow(/not ended yet/);
});

test("what a run said is delivered to its thread, once", async () => {
  await addSchedule(database(), {}, { nextDueAt: DUE });
  await host("All is well.");
  await fireTrigger(servicesOf(database()), "trg1", DUE);
  const [run] = await runs();
  await finish(run?.id ?? "", later(1));
  await settleTrigger(servicesOf(database()), "trg1", later(2));
  expect(await database().delivery.findMany()).toMatchObject([
    { runId: run?.id, body: "All is well.", state: "pending" },
  ]);
  expect(await firings()).toMatchObject([{ outcome: "completed", failedCalls: 0 }]);
});

test("a run that answers NO_REPLY delivers nothing; one that fails says so all the same", async () => {
  await addSchedule(database(), { deliver: [{ thread: true }, { notify: true }] }, { nextDueAt: DUE });
  const model = cleanReplies(
    scriptedModel(["NO_REPLY", { error: new AppError("model_failed", "The key was refused.") }]),
    {
      isSanitizing: true,
      maxOtherChars: 300,
    },
  );
  await startHost({ model, afterRun: async () => undefined });
  for (const at of [DUE, later(60)]) {
    await fireTrigger(servicesOf(database()), "trg1", at);
    await finish((await runs()).at(-1)?.id ?? "", at);
  }
  const [silent, failed] = await runs();
  expect([silent?.status, failed?.status]).toEqual(["completed", "failed"]);
  expect(await firings()).toMatchObject([{ outcome: "completed" }, { outcome: "failed" }]);
  const delivered = await database().delivery.findMany({ orderBy: { id: "asc" } });
  expect(delivered.map(({ runId }) => runId)).toEqual([failed?.id, failed?.id]);
  expect(delivered[0]?.body).not.toBe("");
});

test("a schedule's owner finds in the inbox what was missed, and that failures have paused it, each once", async () => {
  const told = () => database().inboxNote.findMany({ where: { userId: "u1" }, orderBy: { createdAt: "asc" } });
  await addSchedule(database(), { pause_after_failures: 1, missed: "skip" }, { nextDueAt: DUE });
  await fireTrigger(servicesOf(database()), "trg1", later(130));
  await fireTrigger(servicesOf(database()), "trg1", later(131));
  expect(await told()).toMatchObject([
    { title: "3 due times were missed", source: "schedule Morning brief", path: "/automations/schedules/trg1" },
  ]);
  await host({ error: new AppError("internal", "The key was refused.") });
  await database().trigger.update({ where: { id: "trg1" }, data: { nextDueAt: later(180) } });
  await fireTrigger(servicesOf(database()), "trg1", later(180));
  await finish((await runs())[0]?.id ?? "", later(181));
  await settleTrigger(servicesOf(database()), "trg1", later(182));
  const [, paused, ...others] = await told();
  expect(others).toEqual([]);
  expect(paused).toMatchObject({ kind: "schedule", title: "Paused after 1 failure" });
  expect(paused?.detail).toContain("The key was refused.");
});

test("a schedule that cannot be read holds up no other", async () => {
  await addSchedule(database(), {}, { id: "trg_a", nextDueAt: DUE });
  await addSchedule(database(), {}, { id: "trg_b", nextDueAt: DUE });
  await database().trigger.update({ where: { id: "trg_a" }, data: { config: "{broken" } });
  await sweepTriggers(servicesOf(database()));
  expect(await firings("trg_a")).toEqual([]);
  expect(await firings("trg_b")).not.toEqual([]);
});

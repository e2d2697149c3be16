import { beforeEach, describe, expect, inject, test } from "vitest";
import type { ModelRequest } from "@/lib/agent/model";
import { type ScriptedModel, type ScriptedStep, scriptedModel } from "@/lib/models/scripted-model";
import { AppError } from "@/lib/schema/app-error";
import { countHeartbeatRuns } from "@/lib/server/platform/db/queries/dispatch/heartbeats";
import { setUserTimeZones } from "@/lib/server/platform/time/user-time-zones";
import { fireTrigger } from "@/lib/server/triggers/fire-trigger";
import { settleTrigger, sweepTriggers } from "@/lib/server/triggers/settle-firing";
import { servicesOf } from "@/lib/testing/databases/services-of";
import { STATE_BACKEND, writeOwnFile } from "@/lib/testing/fixtures/heartbeat-file";
import { reached, runDatabase, say, seedThread } from "@/lib/testing/fixtures/run-fixture";
import { addHeartbeat } from "@/lib/testing/fixtures/trigger-fixture";
import { cleanReplies } from "@/lib/text/sanitize/clean-replies";
import { stateOf } from "./heartbeat-state";

const DUE = new Date("2026-11-02T09:00:00.000Z");
const later = (minutes: number, from = DUE) => new Date(from.getTime() + minutes * 60_000);

const { database, startHost, statusOf } = runDatabase();

const beats = () => database().firing.findMany({ where: { triggerId: "hb1" }, orderBy: [{ dueAt: "asc" }] });
const trigger = () => database().trigger.findUniqueOrThrow({ where: { id: "hb1" } });
const pauseMinutes = async () => stateOf(await trigger()).pauseMs / 60_000;
const textOf = ({ messages }: ModelRequest) =>
  messages.map(({ content }) => (typeof content === "string" ? content : JSON.stringify(content))).join("\n");

beforeEach(() => seedThread(database(), { backend: STATE_BACKEND }));

/** A host whose runs answer with one step each. */
async function answering(...script: ScriptedStep[]): Promise<ScriptedModel> {
  const model = scriptedModel(script);
  await startHost({
    model: cleanReplies(model, { isSanitizing: true, maxOtherChars: 300 }),
    afterRun: async () => undefined,
  });
  return model;
}

/** Fires everything due at that time and waits for its run to end. */
async function beat(at: Date): Promise<void> {
  await fireTrigger(servicesOf(database()), "hb1", at);
  const open = await database().firing.findFirst({ where: { state: "started", outcome: null } });
  if (!open?.runId) return;
  const { runId } = open;
  await reached(async () => ["completed", "failed", "limit"].includes(await statusOf(runId)));
  await settleTrigger(servicesOf(database()), "hb1", at);
}

/** This many consecutive beats, each when it is due. */
async function runHeartbeats(count: number): Promise<void> {
  for (let index = 0; index < count; index++) await beat((await trigger()).nextDueAt ?? new Date(0));
}

describe("a beat that ends before a model is called leaves a row with the reason", () => {
  // A beat works the same on both databases: see the tests below.
  test.skipIf(inject("testDatabase") === "postgresql")(
    "48 beats of a night with an empty file cost nothing",
    async () => {
      await writeOwnFile(database(), "HEARTBEAT.md", "# Heartbeat\n\n<!-- nothing yet -->\n- \n");
      await addHeartbeat(database(), {}, DUE);
      const model = await answering();
      await runHeartbeats(48);
      expect(model.requests).toHaveLength(0);
      expect(await database().run.count()).toBe(0);
      expect(await database().thread.count()).toBe(1);
      const rows = await beats();
      expect(rows).toHaveLength(48);
      expect(new Set(rows.map(({ state, stoppedBy, reason }) => `${state} ${stoppedBy}: ${reason}`))).toEqual(
        new Set(["skipped file: HEARTBEAT.md names nothing to do."]),
      );
      expect(await pauseMinutes()).toBe(30);
      expect((await trigger()).nextDueAt).toEqual(later(48 * 30));
    },
  );

  test("outside of the active hours, where a beat was due before they ended", async () => {
    await writeOwnFile(database(), "HEARTBEAT.md", "- reviews");
    await addHeartbeat(database(), { active: "08:00-09:05" }, DUE);
    await beat(later(10));
    expect((await beats()).at(-1)).toMatchObject({
      state: "skipped",
      stoppedBy: "hours",
      reason: "It beats from 08:00 to 09:05, UTC.",
    });
    expect((await trigger()).nextDueAt).toEqual(new Date("2026-11-03T08:00:00.000Z"));
    expect(await database().run.count()).toBe(0);
  });

  test("in the hours of its person's own time zone", async () => {
    await writeOwnFile(database(), "HEARTBEAT.md", "- reviews");
    setUserTimeZones([{ id: "u1", timeZone: "Asia/Tokyo" }]);
    await addHeartbeat(database(), { active: "08:00-18:30", timezone: "user" }, DUE);
    await beat(later(35));
    setUserTimeZones([]);
    expect((await beats()).at(-1)?.reason).toBe("It beats from 08:00 to 18:30, Asia/Tokyo.");
    expect((await trigger()).nextDueAt).toEqual(new Date("2026-11-02T23:00:00.000Z"));
  });

  test("when its budget of the day is used up", async () => {
    await writeOwnFile(database(), "HEARTBEAT.md", "- reviews");
    await addHeartbeat(database(), { budget: { day_usd: 0.02 } }, DUE);
    const model = await answering({ text: "NO_REPLY", costUsd: 0.03 });
    await database().budgetAccount.create({
      data: { id: "trigger:hb1:day:2026-11-02", usedUsd: 0.03, updatedAt: DUE },
    });
    await beat(DUE);
    expect(await beats()).toMatchObject([
      { state: "skipped", stoppedBy: "budget", reason: "The budget of $0.02 for this day is used up." },
    ]);
    expect(model.requests).toHaveLength(0);
  });

  test("when no check says yes; any yes lets it go on, and says why to the model", async () => {
    await writeOwnFile(database(), "HEARTBEAT.md", "- new files in inbox/");
    await addHeartbeat(database(), { when: [{ file: "inbox/**" }, { inbound: true }] }, DUE);
    const model = await answering({ text: "Two files came in.", costUsd: 0.004 });
    await beat(DUE);
    expect(await beats()).toMatchObject([
      { stoppedBy: "when", reason: "Nothing new: inbox/** did not change; its person has not written." },
    ]);
    expect(model.requests).toHaveLength(0);
    await writeOwnFile(database(), "inbox/a.txt", "one");
    await beat(later(30));
    expect(textOf(model.requests[0] as ModelRequest)).toContain("Why now: inbox/** changed.");
    await beat(later(60));
    expect(model.requests).toHaveLength(1);
    expect((await beats()).map(({ stoppedBy }) => stoppedBy)).toEqual(["when", null, "when"]);
    const counts = await countHeartbeatRuns(database(), ["hb1"], DUE);
    expect(new Map(counts.map((count) => [count.stoppedBy, [count.beats, count.calls, count.usd]]))).toEqual(
      new Map([
        ["when", [2, 0, 0]],
        [null, [1, 1, 0.004]],
      ]),
    );
  });
});

test("a beat reads HEARTBEAT.md and the last three things said, and nothing of its thread", async () => {
  await writeOwnFile(database(), "HEARTBEAT.md", "- reviews that wait");
  await addHeartbeat(database(), { max_steps: 3, model: "scripted:small" }, DUE);
  const model = await answering("One.", "Two.", "Three.", "Four.", "Five.");
  await runHeartbeats(5);
  const last = textOf(model.requests[4] as ModelRequest);
  expect(last).toContain("- reviews that wait");
  expect(["One.", "Two.", "Three.", "Four."].map((said) => last.includes(said))).toEqual([false, true, true, true]);
  expect(model.requests[4]?.messages).toHaveLength(1);
  const runs = await database().run.findMany({ orderBy: { createdAt: "asc" } });
  expect(new Set(runs.map(({ threadId }) => threadId)).size).toBe(1);
  expect(runs[0]).toMatchObject({ origin: "heartbeat", attended: false, modelOverride: "scripted:small" });
  expect(JSON.parse(runs[0]?.input ?? "{}")).toMatchObject({
    canAsk: false,
    noHistory: true,
    compact: false,
    trigger: { maxSteps: 3, dayUsd: 0.25 },
  });
});

describe("the pause", () => {
  test("is doubled by three empty beats, also by what it has said before, and something new resets it", async () => {
    await writeOwnFile(database(), "HEARTBEAT.md", "- reviews");
    await addHeartbeat(database(), {}, DUE);
    await answering("Three wait.", "NO_REPLY", "Three  wait.", "NO_REPLY", "A fourth waits.");
    await runHeartbeats(3);
    expect(await pauseMinutes()).toBe(30);
    expect((await beats())[2]).toMatchObject({ said: null, reason: expect.stringMatching(/said again/) });
    await runHeartbeats(1);
    expect(await pauseMinutes()).toBe(60);
    expect((await trigger()).nextDueAt).toEqual(later(3 * 30 + 60));
    await runHeartbeats(1);
    expect(await pauseMinutes()).toBe(30);
    expect((await trigger()).nextDueAt).toEqual(later(3 * 30 + 60 + 30));
    expect((await beats()).map(({ said, pauseMs }) => [said, (pauseMs ?? 0) / 60_000])).toEqual([
      ["Three wait.", 30],
      [null, 30],
      [null, 30],
      [null, 30],
      ["A fourth waits.", 60],
    ]);
  });

  test("a silent beat delivers nothing; one that speaks, to the thread and by notification", async () => {
    await writeOwnFile(database(), "HEARTBEAT.md", "- reviews");
    await addHeartbeat(database(), {}, DUE);
    await answering("NO_REPLY", "Three wait.");
    await runHeartbeats(1);
    expect(await database().delivery.count()).toBe(0);
    await runHeartbeats(1);
    const sent = await database().delivery.findMany({ orderBy: { target: "asc" } });
    expect(sent.map(({ target, body }) => `${target} ${body}`)).toEqual([
      '{"notify":true} Three wait.',
      '{"thread":true} Three wait.',
    ]);
  });
});

test("what a beat sent by the tool message is something said, and is not sent again", async () => {
  await writeOwnFile(database(), "HEARTBEAT.md", "- reviews");
  await addHeartbeat(database(), {}, DUE);
  await answering("NO_REPLY");
  await fireTrigger(servicesOf(database()), "hb1", DUE);
  const run = await database().run.findFirstOrThrow();
  const message = {
    id: "dlv1",
    runId: run.id,
    ownerId: "u1",
    target: '{"message":{"link":"l1"}}',
    body: "Three wait.",
  };
  await database().delivery.create({ data: message });
  await reached(async () => (await statusOf(run.id)) === "completed");
  await settleTrigger(servicesOf(database()), "hb1", DUE);
  expect(await beats()).toMatchObject([{ said: "Three wait." }]);
  expect(stateOf(await trigger())).toMatchObject({ empty: 0, said: [{ text: "Three wait." }] });
  expect(await database().delivery.count()).toBe(1);
});

test("failures in a row pause it", async () => {
  await writeOwnFile(database(), "HEARTBEAT.md", "- reviews");
  await addHeartbeat(database(), { pause_after_failures: 2 }, DUE);
  const error = new AppError("model_failed", "The key was refused.");
  await answering({ error }, { error });
  await runHeartbeats(2);
  expect(await trigger()).toMatchObject({ enabled: false, pausedReason: "failures", failures: 2 });
  expect(await pauseMinutes()).toBe(30);
});

test("nobody has written for days: it pauses, and the next message wakes it", async () => {
  await writeOwnFile(database(), "HEARTBEAT.md", "- reviews");
  await addHeartbeat(database(), { idle_pause_days: 14 }, DUE);
  await database().trigger.updateMany({ data: { updatedAt: later(-15 * 24 * 60) } });
  await fireTrigger(servicesOf(database()), "hb1", DUE);
  expect(await trigger()).toMatchObject({ enabled: false, pausedReason: "idle", nextDueAt: null });
  expect(await beats()).toMatchObject([{ state: "refused", reason: expect.stringMatching(/next message wakes it/) }]);
  await database().trigger.updateMany({ data: { pausedAt: DUE } });
  await sweepTriggers(servicesOf(database()));
  expect((await trigger()).enabled).toBe(false);
  const { runId } = await say(database(), "Good morning");
  await database().run.update({ where: { id: runId }, data: { createdAt: later(60) } });
  await sweepTriggers(servicesOf(database()));
  expect(await trigger()).toMatchObject({ enabled: true, pausedReason: null, nextDueAt: expect.any(Date) });
});

test("an owner who may start no runs any more pauses it", async () => {
  await addHeartbeat(database(), {}, DUE);
  await database().user.update({ where: { id: "u1" }, data: { role: "viewer" } });
  await fireTrigger(servicesOf(database()), "hb1", DUE);
  expect(await beats()).toMatchObject([{ state: "refused", reason: "Its owner may no longer start runs." }]);
  expect(await trigger()).toMatchObject({ enabled: false, pausedReason: "owner_demoted" });
});

test("beats that many processes see at once start one run", async () => {
  await writeOwnFile(database(), "HEARTBEAT.md", "- reviews");
  await addHeartbeat(database(), {}, DUE);
  await Promise.all(Array.from({ length: 6 }, () => fireTrigger(servicesOf(database()), "hb1", DUE)));
  expect(await database().run.count()).toBe(1);
  expect((await beats()).map(({ state }) => state)).toEqual(["started"]);
});

import { beforeEach, expect, inject, test } from "vitest";
import { servicesOf } from "@/lib/testing/databases/services-of";
import { STATE_BACKEND, writeOwnFile } from "@/lib/testing/fixtures/heartbeat-file";
import { runDatabase, seedThread } from "@/lib/testing/fixtures/run-fixture";
import { addHeartbeat, addSchedule, addWebhook } from "@/lib/testing/fixtures/trigger-fixture";
import { runProcess } from "@/lib/testing/processes/start-process";
import { fireTrigger } from "./fire-trigger";
import { sweepTriggers } from "./settle-firing";

const DUE = new Date("2026-11-02T09:00:00.000Z");
const isPostgres = inject("testDatabase") === "postgresql";

const { database, url } = runDatabase();

beforeEach(() => seedThread(database(), { backend: STATE_BACKEND }));

test.for(["claimed", "started"])(
  "a beat whose process is killed once it has %s leaves one run",
  { timeout: 60_000 },
  async (place) => {
    await writeOwnFile(database(), "HEARTBEAT.md", "- reviews");
    await addHeartbeat(database(), {}, DUE);
    expect(await fire(place, "hb1")).toMatchObject({ signal: "SIGKILL", errors: "" });
    for (let time = 0; time < 2; time++) await fireTrigger(servicesOf(database()), "hb1", DUE);
    const [run] = await database().run.findMany();
    expect(await database().run.count()).toBe(1);
    expect(await database().firing.findMany()).toMatchObject([{ state: "started", runId: run?.id }]);
  },
);

const REQUEST = { triggerId: "hook1", key: "hook:msg_1", dueAt: DUE, state: "claimed", prompt: "Issue 7" };

const fire = (place: string, ...triggerIds: string[]) =>
  runProcess("lib/testing/processes/killable-trigger.ts", url(), DUE.toISOString(), place, ...triggerIds);

test.for(["claimed", "started"])(
  "a process that is killed once it has %s leaves one run, which the next attempt finds or makes",
  { timeout: 60_000 },
  async (place) => {
    await addSchedule(database(), {}, { nextDueAt: DUE });
    expect(await fire(place, "trg1")).toMatchObject({ signal: "SIGKILL", errors: "" });
    expect(await database().firing.findMany()).toMatchObject([{ state: place }]);
    expect(await database().run.count()).toBe(place === "claimed" ? 0 : 1);
    await fireTrigger(servicesOf(database()), "trg1", DUE);
    const [run] = await database().run.findMany();
    expect(await database().firing.findMany()).toMatchObject([{ state: "started", runId: run?.id }]);
    expect(await database().run.count()).toBe(1);
    expect(await database().thread.count()).toBe(2);
  },
);

test.for(["", "started"])(
  "a request whose process is killed once it has claimed it %s leaves one run, with what the request said",
  { timeout: 60_000 },
  async (place) => {
    await addWebhook(database());
    await database().firing.create({ data: { id: "fir1", ...REQUEST } });
    if (place !== "") expect(await fire(place, "hook1")).toMatchObject({ signal: "SIGKILL", errors: "" });
    for (let time = 0; time < 2; time++) await sweepTriggers(servicesOf(database()));
    const [run] = await database().run.findMany();
    expect(await database().run.count()).toBe(1);
    expect(run?.input).toContain("Issue 7");
    expect(await database().firing.findMany()).toMatchObject([{ state: "started", runId: run?.id, prompt: null }]);
  },
);

test.runIf(isPostgres)(
  "of forty occurrences that three processes fire at once each makes one run",
  { timeout: 60_000 },
  async () => {
    const ids = Array.from({ length: 40 }, (_, index) => `trg_${index}`);
    for (const id of ids) await addSchedule(database(), { name: id }, { id, nextDueAt: DUE });
    const ended = await Promise.all([fire("", ...ids), fire("", ...ids), fire("", ...ids.toReversed())]);
    expect(ended.map(({ code, errors }) => [code, errors])).toEqual(Array(3).fill([0, ""]));
    const firings = await database().firing.findMany();
    expect(firings.map(({ state }) => state)).toEqual(Array(40).fill("started"));
    expect(new Set(firings.map(({ runId }) => runId)).size).toBe(40);
    expect(await database().run.count()).toBe(40);
  },
);

import { describe, expect, test } from "vitest";
import { z } from "zod";
import { defineTool } from "@/lib/agent/tools/tool";
import { type ScriptedStep, scriptedModel } from "@/lib/models/scripted-model";
import { approvalParts } from "@/lib/testing/fixtures/approval-parts";
import { eventsToEnd, reached, runDatabase, say, seedThread, testHost } from "@/lib/testing/fixtures/run-fixture";
import { takeJobsOfDeadWorkers } from "@/lib/testing/processes/dead-workers";

const model = (...steps: ScriptedStep[]) => ({ model: scriptedModel(steps) });

describe("unfinished runs", () => {
  const { database, startHost, history, statusOf } = runDatabase();

  test("a shutdown suspends runs, and the next host continues from the last finished step", async () => {
    await seedThread(database());
    const first = testHost(database(), model("never said", { text: "x" }));
    const gated = scriptedModel([
      { calls: [{ name: "count" }] },
      { text: "lost", gateAfterText: new Promise(() => {}) },
    ]);
    let count = 0;
    const tool = defineTool({
      name: "count",
      description: "Counts",
      input: z.object({}),
      execute: async () => String(++count),
    });
    await first.stop();
    const second = testHost(database(), { model: gated, tools: [tool] });
    await second.start();
    const { runId } = await say(database(), "go");
    await reached(async () => (await database().runEvent.count({ where: { runId, type: "text.delta" } })) > 0);
    await second.stop();
    expect(await statusOf(runId)).toBe("running");
    await startHost({ ...model("finished"), tools: [tool] });
    const events = await eventsToEnd(database(), runId);
    expect(count).toBe(1);
    expect(events.map(({ event }) => event.type)).toContain("step.reset");
    expect(await database().run.findUnique({ where: { id: runId } })).toMatchObject({
      status: "completed",
      takeovers: 0,
      segment: 1,
    });
    expect((await history()).at(-1)).toBe("assistant: finished");
  });

  test("a run whose lease was lost stops without recording anything more", async () => {
    await seedThread(database());
    const gate = Promise.withResolvers<void>();
    const host = await startHost({ ...model({ text: "from the old owner", gate: gate.promise }), beatMs: 60_000 });
    const { runId } = await say(database(), "go");
    await reached(async () => (await database().runEvent.count({ where: { runId } })) > 0);
    await database().run.update({ where: { id: runId }, data: { leaseOwner: "another", epoch: { increment: 1 } } });
    const before = await database().runEvent.count({ where: { runId } });
    gate.resolve();
    await reached(() => host.activeRuns === 0);
    expect(await database().runEvent.count({ where: { runId } })).toBe(before);
    expect(await statusOf(runId)).toBe("running");
  });

  test.each([
    ["from three processes in a row at most", { lostOwners: " first  second  third ", takeovers: 3 }],
    ["fifty times at most, however alive its processes are", { takeovers: 50 }],
  ])("an expired lease is taken over while the host runs, %s", async (_, taken) => {
    await seedThread(database());
    const { runId } = await say(database(), "go");
    const lease = { status: "running", leaseOwner: "dead", startedAt: new Date() };
    await database().run.update({ where: { id: runId }, data: { ...lease, ...taken, epoch: 4 } });
    await takeJobsOfDeadWorkers(database());
    await startHost({ ...model("never"), beatMs: 10 });
    expect((await eventsToEnd(database(), runId)).at(-1)?.event).toMatchObject({ status: "interrupted" });
    expect(await statusOf(runId)).toBe("interrupted");
  });

  test.each([
    { lostOwners: " first  second ", takeovers: 3 },
    { lostOwners: null, takeovers: 49 },
  ])("a run that was taken over from few processes that died goes on: %o", async (taken) => {
    await seedThread(database());
    const { runId } = await say(database(), "go");
    const lease = { status: "running", leaseOwner: "dead", startedAt: new Date() };
    await database().run.update({ where: { id: runId }, data: { ...lease, ...taken, epoch: 4 } });
    await takeJobsOfDeadWorkers(database());
    await startHost({ ...model("finished"), beatMs: 10 });
    await eventsToEnd(database(), runId);
    expect(await statusOf(runId)).toBe("completed");
  });

  test("processes that were lost before a run waited did not die of what follows", async () => {
    await seedThread(database());
    const { runId } = await say(database(), "go");
    const lease = { status: "running", leaseOwner: "dead", startedAt: new Date() };
    await database().run.update({ where: { id: runId }, data: { ...lease, lostOwners: " first  second ", epoch: 3 } });
    await takeJobsOfDeadWorkers(database());
    await startHost({ ...approvalParts("/dev/null", () => undefined), beatMs: 10 });
    await reached(async () => (await statusOf(runId)) === "waiting");
    expect(await database().run.findUnique({ where: { id: runId } })).toMatchObject({ lostOwners: null, takeovers: 1 });
  });

  test("a database that is busy again and again ends no run, and is no crash of its process", async () => {
    await seedThread(database());
    let refused = 0;
    const build = async () => {
      if (refused++ < 6) throw Object.assign(new Error("sorry, too many clients already"), { code: "53300" });
      return { system: [], model: scriptedModel(["finished"]), tools: [], hooks: [] };
    };
    for (const parts of [model("unused"), model("unused")]) await startHost({ ...parts, build, beatMs: 10 });
    const { runId } = await say(database(), "go");
    await eventsToEnd(database(), runId);
    expect(await database().run.findUnique({ where: { id: runId } })).toMatchObject({
      ...{ status: "completed", takeovers: 0 },
    });
    expect(refused).toBe(7);
  });

  test("a run without history also has none in the process that continues it", async () => {
    await seedThread(database());
    const first = await startHost(model("hello"));
    await eventsToEnd(database(), (await say(database(), "before")).runId);
    await first.stop();
    const { runId } = await say(database(), "alone", { noHistory: true });
    const lease = { status: "running", leaseOwner: "dead", startedAt: new Date() };
    await database().run.update({ where: { id: runId }, data: { ...lease, epoch: 1, segment: 1 } });
    await takeJobsOfDeadWorkers(database());
    const scripted = scriptedModel(["taken up", "and all"]);
    await startHost({ model: scripted, beatMs: 10 });
    await eventsToEnd(database(), runId);
    await eventsToEnd(database(), (await say(database(), "together")).runId);
    const said = scripted.requests.map(({ messages }) => messages.map(({ content }) => content));
    expect(said).toEqual([["alone"], ["before", "hello", "alone", "taken up", "together"]]);
  });

  test("a host claims a run whose claim it never heard of, as when the database's answer was lost", async () => {
    await seedThread(database());
    const { runId } = await say(database(), "go");
    const host = testHost(database(), { ...model("taken up"), beatMs: 10 });
    const lease = { status: "running", leaseOwner: host.owner, startedAt: new Date() };
    await database().run.update({ where: { id: runId }, data: { ...lease, epoch: 1 } });
    await takeJobsOfDeadWorkers(database());
    await host.start();
    await eventsToEnd(database(), runId);
    expect((await history()).at(-1)).toBe("assistant: taken up");
    await host.stop();
  });
});

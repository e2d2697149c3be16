import { expect, onTestFinished, test } from "vitest";
import type { ModelPort } from "@/lib/agent/model";
import { NO_USAGE } from "@/lib/schema/runs/usage";
import { openDatabase } from "@/lib/server/platform/db/database";
import { eventsToEnd, reached, runDatabase, say, seedThread, testHost } from "@/lib/testing/fixtures/run-fixture";
import { takeJobsOfDeadWorkers } from "@/lib/testing/processes/dead-workers";
import { startProcess } from "@/lib/testing/processes/start-process";
import { startCuttableProxy } from "@/lib/testing/servers/cuttable-proxy";

const { database, url } = runDatabase();
const rowOf = (id: string) => database().run.findUniqueOrThrow({ where: { id } });

/** Answers once `gate` resolves. */
function gatedModel(gate: Promise<void>): ModelPort {
  return {
    name: "scripted:gated",
    async call(_request, { onText, signal }) {
      onText?.("Thinking. ");
      const aborted = new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve()));
      await Promise.race([gate, aborted]);
      signal.throwIfAborted();
      const reply = { content: "Thinking. ", reasoning: [], toolCalls: [], usage: NO_USAGE, model: this.name };
      return { ...reply, finishReason: "stop", timeToFirstTokenMs: 0 };
    },
  };
}

/** A host with a connection of its own that can be cut. */
async function startFarHost(model: ModelPort) {
  const proxy = await startCuttableProxy(url());
  const far = await openDatabase(proxy.url);
  const host = testHost(far, { model, beatMs: 50 });
  onTestFinished(async () => {
    proxy.restore();
    await host.stop();
    await far.close();
    await proxy.close();
  });
  await host.start();
  return { host, proxy };
}

type FarHost = Awaited<ReturnType<typeof startFarHost>>;

test("a run that takes one long step is finished, however often its process is cut off from the database", async () => {
  await seedThread(database());
  const gate = Promise.withResolvers<void>();
  const hosts = [await startFarHost(gatedModel(gate.promise)), await startFarHost(gatedModel(gate.promise))];
  const { runId } = await say(database(), "Think");
  const holder = async () => {
    const { leaseOwner } = await rowOf(runId);
    return hosts.find(({ host }) => host.owner === leaseOwner && host.activeRuns === 1);
  };
  await reached(async () => (await holder()) !== undefined);
  for (let round = 0; round < 5; round += 1) {
    const lost = (await holder()) as FarHost;
    lost.proxy.cut();
    await takeJobsOfDeadWorkers(database());
    await reached(async () => {
      const next = await holder();
      return next !== undefined && next !== lost;
    });
    expect(await rowOf(runId)).toMatchObject({ lostOwners: ` ${lost.host.owner} ` });
    lost.proxy.restore();
    await reached(() => lost.host.activeRuns === 0);
    expect(await rowOf(runId)).toMatchObject({ lostOwners: null });
  }
  gate.resolve();
  await eventsToEnd(database(), runId);
  expect(await rowOf(runId)).toMatchObject({ status: "completed", takeovers: 5, errorMessage: null });
});

test("a process that never heard of its claim takes it back, also when another has the run by then", async () => {
  await seedThread(database());
  const gate = Promise.withResolvers<void>();
  const unheard = await startFarHost(gatedModel(gate.promise));
  const swallowed = unheard.proxy.cutAnswerTo('update "run" set');
  const { runId } = await say(database(), "Think");
  await swallowed;
  await reached(async () => (await rowOf(runId)).leaseOwner === unheard.host.owner);
  const other = await startFarHost(gatedModel(gate.promise));
  await takeJobsOfDeadWorkers(database());
  await reached(async () => (await rowOf(runId)).leaseOwner === other.host.owner);
  expect(await rowOf(runId)).toMatchObject({ lostOwners: ` ${unheard.host.owner} ` });
  unheard.proxy.restore();
  await reached(async () => (await rowOf(runId)).lostOwners === null);
  gate.resolve();
  await eventsToEnd(database(), runId);
  expect(await rowOf(runId)).toMatchObject({ status: "completed" });
});

test("a frozen process is lost only until it goes on", async () => {
  await seedThread(database(), { subagents: [{ name: "worker", prompt: "You work." }] });
  const frozen = startProcess("lib/testing/processes/remote-host.ts", url());
  expect(await frozen.nextLine()).toBe("ready");
  frozen.tell("start th1");
  const runId = await frozen.nextLine();
  await reached(async () => (await rowOf(runId)).status === "running");
  frozen.signal("SIGSTOP");
  const gate = Promise.withResolvers<void>();
  const { host } = await startFarHost(gatedModel(gate.promise));
  await takeJobsOfDeadWorkers(database());
  await reached(async () => (await rowOf(runId)).leaseOwner === host.owner);
  expect((await rowOf(runId)).lostOwners).not.toBeNull();
  frozen.signal("SIGCONT");
  await reached(async () => (await rowOf(runId)).lostOwners === null);
  gate.resolve();
  await eventsToEnd(database(), runId);
  expect(await rowOf(runId)).toMatchObject({ status: "completed" });
  frozen.tell("end");
  await frozen.ended;
});

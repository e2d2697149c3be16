import { beforeEach, expect, test } from "vitest";
import { z } from "zod";
import type { RunContext } from "@/lib/agent/run-context";
import { defineTool } from "@/lib/agent/tools/tool";
import { denyCallsHook } from "@/lib/hooks/deny-calls";
import { permissionsHook } from "@/lib/hooks/permissions";
import { PermissionsConfig } from "@/lib/schema/agents/agent-config-rules";
import { triggerRulesOf } from "@/lib/server/engine/run-input";
import { servicesOf } from "@/lib/testing/databases/services-of";
import { pricedModel } from "@/lib/testing/fixtures/priced-model";
import { eventsToEnd, reached, runDatabase, seedThread } from "@/lib/testing/fixtures/run-fixture";
import { addSchedule } from "@/lib/testing/fixtures/trigger-fixture";
import { fireTrigger } from "./fire-trigger";

const DUE = new Date("2026-11-02T09:00:00.000Z");
const { database, startHost, statusOf } = runDatabase();

const said: string[] = [];
const contexts: RunContext[] = [];
const say = defineTool({
  name: "say",
  description: "Says it.",
  input: z.object({ word: z.string() }),
  async execute({ word }, { context }) {
    said.push(word);
    contexts.push(context);
    return word;
  },
});

beforeEach(async () => {
  said.length = 0;
  contexts.length = 0;
  await seedThread(database(), { permissions: { enabled: true, mode: "default" } });
});

const permissions = permissionsHook({
  permissions: PermissionsConfig.parse({ enabled: true, mode: "default", allow: ["other"] }),
  workdir: "/workspace",
});

/** Runs the schedule with a model that makes these calls one after the other. */
async function fire(config: Parameters<typeof addSchedule>[1], words: readonly string[], hooks = [permissions]) {
  await addSchedule(database(), config, { nextDueAt: DUE });
  const turn = (_: unknown, replies: number) => {
    const word = words[replies];
    return word === undefined ? { text: "done" } : { calls: [{ name: "say", args: { word } }] };
  };
  await startHost({
    model: pricedModel({ turn }),
    build: async (run) => ({
      system: [],
      model: pricedModel({ turn }),
      tools: [say],
      hooks: [...hooks, denyCallsHook(triggerRulesOf(run)?.deny ?? [])],
    }),
  });
  await fireTrigger(servicesOf(database()), "trg1", DUE);
  const [run] = await database().run.findMany();
  return run?.id ?? "";
}

const call = (word: string) => ({ tool: "say", args: { word } });

test("exactly the allowed call runs without asking, exactly the denied one is refused, any other waits", async () => {
  const runId = await fire({ allow: [call("yes")], deny: [call("no")] }, ["yes", "no", "maybe"]);
  await reached(async () => (await statusOf(runId)) === "waiting");
  expect(said).toEqual(["yes"]);
  const asks = await database().approval.findMany();
  expect(asks.map(({ args }) => JSON.parse(args))).toEqual([{ word: "maybe" }]);
});

test("a denied call is refused also where nothing asks", async () => {
  const runId = await fire({ deny: [call("no")] }, ["yes", "no"], []);
  await eventsToEnd(database(), runId);
  expect(said).toEqual(["yes"]);
});

test("with on_ask deny the run goes on without the call, and nobody is asked", async () => {
  const runId = await fire({ on_ask: "deny" }, ["maybe"]);
  const last = (await eventsToEnd(database(), runId)).at(-1)?.event;
  expect(last).toMatchObject({ type: "run.completed", status: "completed" });
  expect(said).toEqual([]);
  expect(await database().approval.count()).toBe(0);
});

test("a tool reads from the run context what started the run", async () => {
  const runId = await fire({ allow: [call("yes")] }, ["yes"]);
  await eventsToEnd(database(), runId);
  const firing = await database().firing.findFirstOrThrow();
  expect(contexts.map(({ origin, attended }) => ({ origin, attended }))).toEqual([
    { origin: { kind: "schedule", triggerId: "trg1", firingId: firing.id }, attended: false },
  ]);
});

test("its runs together spend no more in a day than it may: the next one waits before its first call", async () => {
  const runId = await fire({ budget: { day_usd: 0.2 } }, []);
  await eventsToEnd(database(), runId);
  await database().firing.updateMany({ data: { outcome: "completed" } });
  await fireTrigger(servicesOf(database()), "trg1", new Date(DUE.getTime() + 3_600_000));
  const [second] = await database().run.findMany({ where: { id: { not: runId } } });
  await reached(async () => (await statusOf(second?.id ?? "")) === "waiting");
  expect(await database().approval.findMany()).toMatchObject([
    { kind: "budget", reason: expect.stringMatching(/^The budget of \$0\.20 a day for Morning brief is reached/) },
  ]);
});

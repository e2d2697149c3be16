import { expect, test } from "vitest";
import { z } from "zod";
import type { ModelPort } from "@/lib/agent/model";
import { defineTool } from "@/lib/agent/tools/tool";
import type { AgentConfigInput } from "@/lib/schema/agents/agent-config";
import { loadAgentVersion } from "@/lib/server/engine/agent-version";
import { decide } from "@/lib/server/engine/asks/decide";
import { budgetsChanged } from "@/lib/server/engine/budgets/budget-rows";
import { openRunBudget } from "@/lib/server/engine/budgets/run-budget";
import { cancelRun } from "@/lib/server/engine/ending/cancel";
import { RunInput } from "@/lib/server/engine/run-input";
import type { Database } from "@/lib/server/platform/db/database";
import { pricedModel } from "@/lib/testing/fixtures/priced-model";
import { eventsToEnd, reached, runDatabase, say, seedThread, testHost } from "@/lib/testing/fixtures/run-fixture";
import { buildWithSubagents } from "@/lib/testing/processes/bare-host";

const { database, startHost, statusOf } = runDatabase();

const look = defineTool({ name: "look", description: "look", input: z.object({}), execute: async () => "seen" });

/** Calls `look` until it has answered `steps` times, then says so. */
const looking = (steps: number) =>
  pricedModel({
    turn: ({ tools }, replies) =>
      replies < steps && tools.length > 0 ? { calls: [{ name: "look" }] } : { text: "looked" },
  });

const ADA = { id: "u1", name: "Ada", via: "api" } as const;
const GRACE = { id: "u2", name: "Grace", via: "api", isAdmin: true } as const;

async function begin(budget: AgentConfigInput["budget"], steps = 5, options: Parameters<typeof say>[2] = {}) {
  await seedThread(database(), { budget });
  await startHost({ model: looking(steps), tools: [look] });
  return (await say(database(), "go", options)).runId;
}

async function addBudget(row: { scope?: string; scopeId?: string; period?: string; usd?: number; onReach?: string }) {
  const facts = { scope: "user", scopeId: "u1", period: "day", usd: 0.35, onReach: "wait", ...row };
  await database().budget.create({ data: { id: "bud_1", createdById: "u2", ...facts } });
  budgetsChanged();
}

const waits = (runId: string) => reached(async () => (await statusOf(runId)) === "waiting");
const askOf = (runId: string) => database().approval.findFirstOrThrow({ where: { runId, status: "pending" } });
const accounts = () => database().budgetAccount.findMany({ orderBy: { id: "asc" } });
function watching(target: Database, instead: Partial<Database>): Database {
  return new Proxy(target, { get: (all, name) => Reflect.get(name in instead ? instead : all, name) });
}

const noEdit = () => Promise.reject(new Error("not an edit"));

async function answer(runId: string, decision: object, decider: typeof ADA | typeof GRACE = ADA) {
  const { toolCallId } = await askOf(runId);
  const decisions = [{ tool_call_id: toolCallId, ...decision } as { tool_call_id: string; decision: "allow" }];
  return decide(database(), { runId, decider, decisions }, noEdit);
}

test("a run waits before the call that does not fit, holds nothing reserved, and goes on once its owner adds to it", async () => {
  const runId = await begin({ run_usd: 0.35 });
  await waits(runId);
  const ask = await askOf(runId);
  expect(JSON.parse(ask.args)).toMatchObject({
    capUsd: 0.35,
    spentUsd: 0.3,
    nextUsd: 0.15,
    period: "run",
    name: "agent",
  });
  expect(ask.reason).toMatch(/^The budget of \$0\.35 for a run of agent is reached: \$0\.30 is spent/);
  expect(await accounts()).toMatchObject([
    { id: `agent:agent:run:${runId}`, usedUsd: expect.closeTo(0.3), reservedUsd: expect.closeTo(0) },
  ]);
  const run = await database().run.findUniqueOrThrow({ where: { id: runId } });
  expect(run).toMatchObject({ waitingFor: "budget", steps: 3, costUsd: expect.closeTo(0.3), leaseOwner: null });
  await answer(runId, { decision: "allow", args: { add_usd: 1 } });
  const last = (await eventsToEnd(database(), runId)).at(-1)?.event;
  expect(last).toMatchObject({ type: "run.completed", status: "completed" });
  expect(await database().run.findUnique({ where: { id: runId } })).toMatchObject({
    costUsd: expect.closeTo(0.6),
    steps: 6,
  });
  expect(await accounts()).toMatchObject([
    { usedUsd: expect.closeTo(0.6), reservedUsd: expect.closeTo(0), addedUsd: 1 },
  ]);
  expect(await database().budgetReservation.count()).toBe(0);
  const audit = await database().auditEntry.findMany({ where: { action: "budget.raised" } });
  expect(audit.map(({ actorId }) => actorId)).toEqual(["u1"]);
});

test("of two people who press at once one adds, and the other reads who did", async () => {
  await database().user.create({ data: { id: "u2", name: "Grace", email: "grace@example.test", role: "admin" } });
  const runId = await begin({ run_usd: 0.35 });
  await waits(runId);
  const { toolCallId } = await askOf(runId);
  const allow = { tool_call_id: toolCallId, decision: "allow" as const, args: { add_usd: 1 } };
  const both = await Promise.allSettled(
    [ADA, GRACE].map((decider) => decide(database(), { runId, decider, decisions: [allow] }, noEdit)),
  );
  expect(both.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
  const lost = both.find((one) => one.status === "rejected");
  expect(lost?.reason).toMatchObject({
    code: "conflict",
    message: expect.stringMatching(/^(Ada|Grace) added \$1 just now/),
  });
  await eventsToEnd(database(), runId);
  expect((await accounts())[0]?.addedUsd).toBe(1);
});

test.each([
  [{ run_tokens: 1 }, { add_usd: 1 }, "This budget limits tokens, not dollars: say add_tokens."],
  [{ run_usd: 0.1 }, { add_tokens: 5 }, "This budget limits dollars, not tokens: say add_usd."],
])("what is added in the other unit is refused and says so: %o, %o", async (budget, args, message) => {
  const runId = await begin(budget);
  await waits(runId);
  const given = answer(runId, { decision: "allow", args });
  await expect(given).rejects.toMatchObject({ code: "invalid_input", message });
});

test("a budget that no call fits into can be raised before the first", async () => {
  const runId = await begin({ run_usd: 0.1 }, 0);
  await waits(runId);
  await answer(runId, { decision: "allow", args: { add_usd: 0.1 } });
  expect((await eventsToEnd(database(), runId)).at(-1)?.event).toMatchObject({ status: "completed" });
  expect(await accounts()).toMatchObject([{ reachedCount: 1, addedUsd: 0.1 }]);
});

test("a run whose owner says no ends at its limit and says who stopped it", async () => {
  const runId = await begin({ run_usd: 0.35 });
  await waits(runId);
  await answer(runId, { decision: "deny" });
  const last = (await eventsToEnd(database(), runId)).at(-1)?.event;
  expect(last).toMatchObject({ status: "limit", notice: "Stopped at the budget of $0.35 for a run of agent by Ada." });
});

test("a run that is to answer with what it has makes one more call, without tools", async () => {
  const runId = await begin({ run_usd: 0.35 });
  await waits(runId);
  await answer(runId, { decision: "deny", args: { final_answer: true } });
  const last = (await eventsToEnd(database(), runId)).at(-1)?.event;
  expect(last).toMatchObject({ status: "limit", notice: expect.stringContaining("answered with what it had") });
  expect(await accounts()).toMatchObject([{ usedUsd: expect.closeTo(0.4), reservedUsd: expect.closeTo(0) }]);
});

test("an owner adds up to raise_usd of an agent's own budget, and nothing to one that an administrator made", async () => {
  const runId = await begin({ run_usd: 0.35, raise_usd: 0.5 });
  await waits(runId);
  await expect(answer(runId, { decision: "allow", args: { add_usd: 1 } })).rejects.toMatchObject({
    code: "forbidden",
    message: expect.stringContaining("up to $0.50"),
  });
  await expect(answer(runId, { decision: "allow" })).rejects.toMatchObject({ code: "invalid_input" });
  await answer(runId, { decision: "allow", args: { add_usd: 0.5 } });
  expect((await eventsToEnd(database(), runId)).at(-1)?.event.type).toBe("run.completed");
});

test("a user's budget names who can raise it, and that administrator's raise lets another person's run continue", async () => {
  await database().user.create({ data: { id: "u2", name: "Grace", email: "grace@example.test", role: "admin" } });
  await addBudget({});
  const runId = await begin({});
  await waits(runId);
  expect(JSON.parse((await askOf(runId)).args)).toMatchObject({ name: "Ada", period: "day", raisers: ["Grace"] });
  await expect(answer(runId, { decision: "allow", args: { add_usd: 1 } })).rejects.toMatchObject({
    code: "forbidden",
    message: "You may not raise this budget. Grace can.",
  });
  await answer(runId, { decision: "allow", args: { add_usd: 1 } }, GRACE);
  expect((await eventsToEnd(database(), runId)).at(-1)?.event.type).toBe("run.completed");
});

test("a call that is stopped before its first word counts with what it was sent", async () => {
  await seedThread(database(), { budget: { run_usd: 5 } });
  const called = Promise.withResolvers<void>();
  const model: ModelPort = {
    ...pricedModel({ turn: () => ({}), inputUsd: 0.12 }),
    call: (_, { signal }) =>
      new Promise((_answer, fail) => {
        signal.addEventListener("abort", () => fail(signal.reason));
        called.resolve();
      }),
  };
  await startHost({ model });
  const { runId } = await say(database(), "go");
  await called.promise;
  await cancelRun(database(), runId, "u1");
  await reached(async () => (await database().budgetReservation.count()) === 0);
  expect(await accounts()).toMatchObject([{ usedUsd: expect.closeTo(0.12), reservedUsd: expect.closeTo(0) }]);
});

test("stop ends the run with what it has and a notice", async () => {
  const runId = await begin({ run_usd: 0.35, on_reach: "stop" });
  const last = (await eventsToEnd(database(), runId)).at(-1)?.event;
  expect(last).toMatchObject({ status: "limit", notice: expect.stringMatching(/^Stopped: the budget of \$0\.35/) });
  expect(await database().budgetReservation.count()).toBe(0);
});

test("final_answer makes one more call, without tools", async () => {
  const runId = await begin({ run_usd: 0.35, on_reach: "final_answer" });
  const events = await eventsToEnd(database(), runId);
  expect(events.at(-1)?.event).toMatchObject({ status: "limit" });
  expect(await database().run.findUnique({ where: { id: runId } })).toMatchObject({ costUsd: expect.closeTo(0.4) });
  const [account] = await accounts();
  expect(account?.usedUsd).toBeLessThanOrEqual(0.35 + 0.1 + 1e-9);
});

test("one answer may exceed the budget, and no second one", async () => {
  await seedThread(database(), { budget: { run_usd: 0.12, on_reach: "final_answer" } });
  const { runId } = await say(database(), "go");
  const run = await database().run.findUniqueOrThrow({ where: { id: runId } });
  const { config } = await loadAgentVersion(database(), run.agentVersionId);
  const input = RunInput.parse(JSON.parse(run.input));
  const model = pricedModel({ turn: () => ({ text: "This is what I have." }) });
  const gate = await openRunBudget(database(), { run, config, input, before: [], model });
  const messages = [{ role: "user" as const, content: "go" }];
  const answerOnce = () =>
    gate?.model.call(
      { system: [], messages, tools: [], maxTokens: 10, temperature: 0 },
      { signal: AbortSignal.timeout(5_000) },
    );
  gate?.admitLast();
  expect(await answerOnce()).toMatchObject({ content: "This is what I have." });
  await gate?.close();
  await expect(answerOnce()).rejects.toMatchObject({ name: "BudgetReached" });
});

test("warn lets every call pass and counts that it was reached", async () => {
  await addBudget({ scope: "installation", onReach: "warn", usd: 0.1 });
  const runId = await begin({});
  expect((await eventsToEnd(database(), runId)).at(-1)?.event).toMatchObject({ status: "completed" });
  expect((await accounts())[0]?.usedUsd).toBeCloseTo(0.6);
});

test("where no person can be asked, the run stops; before its first call it is refused", async () => {
  const refused = await begin({ run_usd: 0.1 }, 5, { canAsk: false });
  expect((await eventsToEnd(database(), refused)).at(-1)?.event).toMatchObject({
    type: "run.failed",
    error: { code: "budget_reached" },
  });
});

test("where no person can be asked, a started run ends at its limit", async () => {
  const runId = await begin({ run_usd: 0.35 }, 5, { canAsk: false });
  expect((await eventsToEnd(database(), runId)).at(-1)?.event).toMatchObject({ status: "limit" });
});

test("a model without a price is held to the tokens", async () => {
  await seedThread(database(), { budget: { run_usd: 0.01, run_tokens: 5_000 } });
  const turn = (_: unknown, replies: number) => (replies < 40 ? { calls: [{ name: "look" }] } : {});
  await startHost({ model: pricedModel({ turn, costUsd: null, worstUsd: null }), tools: [look] });
  const { runId } = await say(database(), "go");
  await waits(runId);
  const ask = JSON.parse((await askOf(runId)).args);
  expect(ask).toMatchObject({ capTokens: 5_000, nextUsd: null });
  expect(ask.spentTokens + ask.nextTokens).toBeGreaterThan(5_000);
});

test("what the owner may add in dollars limits added tokens too", async () => {
  await seedThread(database(), { budget: { run_tokens: 5_000, raise_usd: 0.2 } });
  const turn = (_: unknown, replies: number) => (replies < 40 ? { calls: [{ name: "look" }] } : {});
  await startHost({ model: pricedModel({ turn }), tools: [look] });
  const { runId } = await say(database(), "go");
  await waits(runId);
  const { toolCallId, args } = await askOf(runId);
  const { nextUsd, nextTokens } = JSON.parse(args);
  const adding = (tokens: number) => {
    const decisions = [{ tool_call_id: toolCallId, decision: "allow" as const, args: { add_tokens: tokens } }];
    return decide(database(), { runId, decider: ADA, decisions }, noEdit);
  };
  const allowed = Math.floor((0.2 / nextUsd) * nextTokens);
  await expect(adding(allowed + 10)).rejects.toThrow("You may add up to $0.20");
  expect(await adding(allowed)).toMatchObject({ status: "queued" });
});

test("a run under no budget asks and stores nothing about budgets", async () => {
  await seedThread(database());
  const seen: string[] = [];
  const { execute, runAll } = database();
  const watched = watching(database(), {
    execute(query, ...rest) {
      const compiled = "sql" in query ? query : query.compile();
      seen.push(compiled.sql);
      return execute(compiled, ...rest);
    },
    runAll(statements, ...rest) {
      seen.push(...statements.map(({ sql }) => sql));
      return runAll(statements, ...rest);
    },
  } as Pick<Database, "execute" | "runAll">);
  const host = testHost(watched, { model: looking(3), tools: [look] });
  await host.start();
  await eventsToEnd(database(), (await say(database(), "first")).runId);
  seen.length = 0;
  await eventsToEnd(database(), (await say(database(), "second")).runId);
  await host.stop();
  expect(seen.length).toBeGreaterThan(3);
  expect(seen.filter((sql) => sql.includes("budget"))).toEqual([]);
});

test("subagents share half of their parent's budget, and a yes lets all of them go on", {
  timeout: 60_000,
}, async () => {
  const subagents = [{ name: "worker", prompt: "You look.", tools: ["look"] }];
  await seedThread(database(), { budget: { run_usd: 1.6 }, subagents });
  const task = (prompt: string) => ({ name: "task", args: { agent: "worker", description: prompt, prompt } });
  const model = pricedModel({
    turn({ messages }, replies) {
      const isChild = messages.at(0)?.content.startsWith("work");
      if (isChild) return replies < 3 ? { calls: [{ name: "look" }] } : { text: "worked" };
      return replies === 0 ? { calls: ["work 1", "work 2", "work 3"].map(task) } : { text: "all done" };
    },
  });
  await startHost({ model, build: buildWithSubagents(database(), { model, tools: [look], hooks: [] }) });
  const { runId } = await say(database(), "go");
  const pending = () => database().approval.findMany({ where: { status: "pending", kind: "budget" } });
  const isStill = async () => (await database().run.count({ where: { status: { in: ["running", "queued"] } } })) === 0;
  await reached(async () => (await pending()).length > 0 && (await isStill()));
  const [first] = await pending();
  expect(JSON.parse(first?.args ?? "")).toMatchObject({ isShare: true, capUsd: 0.8, account: `share:${runId}` });
  const share = (await accounts()).find(({ id }) => id === `share:${runId}`);
  expect(share?.usedUsd).toBeLessThanOrEqual(0.8 + 1e-9);
  expect(share?.reservedUsd).toBeCloseTo(0);
  const decisions = [{ tool_call_id: first?.toolCallId ?? "", decision: "allow" as const, args: { add_usd: 1 } }];
  await decide(database(), { runId, decider: ADA, decisions }, noEdit);
  await reached(async () => (await statusOf(runId)) === "completed" || (await pending()).length > 0);
  const own = (await accounts()).find(({ id }) => id === `agent:agent:run:${runId}`);
  expect(own?.usedUsd).toBeGreaterThan(0.8);
});

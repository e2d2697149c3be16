import { afterEach, beforeEach, expect, test } from "vitest";
import { POST as create } from "@/app/api/budgets/route";
import { GET as budgetsOf } from "@/app/api/runs/[runId]/budgets/route";
import { pricedModel } from "@/lib/testing/fixtures/priced-model";
import { addAgent, addThread, reached, say, testHost } from "@/lib/testing/fixtures/run-fixture";
import { startTestServer, type TestServer } from "@/lib/testing/servers/test-server";

let server: TestServer;
beforeEach(async () => {
  server = await startTestServer();
});
afterEach(() => server.close());

const ask = async (runId: string, as: "member" | "viewer" | "admin" = "member") => {
  const reply = await server.call(budgetsOf, { as, params: { runId } });
  return { status: reply.status, ...(await reply.json()) };
};

test("a run's owner sees each of its limits with what is used and reserved, while it works and afterwards", async () => {
  await addAgent(server.database, "agent", { name: "Coder", model: "scripted:m", budget: { run_usd: 2 } });
  await addThread(server.database, "th1", { ownerId: "member" });
  const body = { scope: "user", scopeId: "member", period: "day", tokens: 50_000 };
  const made = await (await server.call(create, { as: "admin", body })).json();
  let answer = () => {};
  const answered = new Promise<void>((resolve) => {
    answer = resolve;
  });
  const turn = () => answered.then(() => ({ text: "done" }));
  const host = testHost(server.database, { model: pricedModel({ turn }) });
  await host.start();
  const { runId } = await say(server.database, "go", { ownerId: "member" });
  await reached(async () => (await ask(runId)).budgets[0]?.reserved.tokens > 0);
  const { budgets } = await ask(runId);
  expect(budgets).toMatchObject([
    { budgetId: made.id, scope: "user", name: "The member", period: "day", tokens: 50_000, used: { usd: 0 } },
    { budgetId: null, scope: "agent", name: "agent", period: "run", usd: 2, reserved: { usd: 0.15 }, on_reach: "wait" },
  ]);
  answer();
  await reached(async () => (await ask(runId)).budgets[1]?.used.usd > 0);
  expect((await ask(runId)).budgets).toMatchObject([
    { used: { tokens: 110 }, reserved: { tokens: 0 } },
    { used: { usd: 0.1 }, reserved: { usd: 0 }, added: { usd: 0 } },
  ]);
  expect((await ask(runId, "viewer")).status).toBe(404);
  expect((await ask(runId, "admin")).status).toBe(200);
  await host.stop();
});

test("a run without a limit has an empty list", async () => {
  await addAgent(server.database, "agent", { name: "Coder", model: "scripted:m" });
  await addThread(server.database, "th1", { ownerId: "member" });
  const { runId } = await say(server.database, "go", { ownerId: "member" });
  expect(await ask(runId)).toEqual({ status: 200, budgets: [], nextCursor: null });
});

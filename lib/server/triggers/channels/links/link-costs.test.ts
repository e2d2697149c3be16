import { afterEach, beforeEach, expect, test } from "vitest";
import { POST as createBudget } from "@/app/api/budgets/route";
import { GET as getLinks } from "@/app/api/channel-links/route";
import type { ChannelLinkList } from "@/lib/schema/channels/channel-link";
import { localDay } from "@/lib/server/platform/time/local-day";
import { timeZoneOfUser } from "@/lib/server/platform/time/user-time-zones";
import { addAgent, addThread, say } from "@/lib/testing/fixtures/run-fixture";
import { startTestServer, type TestServer } from "@/lib/testing/servers/test-server";

const DAY_MS = 86_400_000;

let server: TestServer;
beforeEach(async () => {
  server = await startTestServer();
  await addAgent(server.database, "agent", { name: "Coder", model: "scripted:m" });
  await addThread(server.database, "th1", { ownerId: "member" });
  const channel = { id: "ch1", kind: "telegram", name: "Lab", agentId: "agent", createdById: "admin" };
  await server.database.channel.create({ data: { ...channel, credentials: "", receives: "long polling" } });
  const chat = { id: "lnk1", userId: "member", channelId: "ch1", chatKind: "direct", agentId: "agent" };
  const names = { externalUser: "1", externalChat: "1", senderName: "M", chatName: "@m", verifiedAt: new Date() };
  await server.database.channelLink.create({ data: { ...chat, ...names } });
  const trigger = { id: "lnk1", ownerId: "member", agentId: "agent", kind: "channel", name: "@m", config: "{}" };
  await server.database.trigger.create({ data: trigger });
});
afterEach(() => server.close());

/** A run that a message in the chat started so long ago. */
async function addRun(costUsd: number | null, ageMs: number): Promise<void> {
  const { runId } = await say(server.database, "hi", { threadId: "th1" });
  const at = new Date(Date.now() - ageMs);
  await server.database.run.update({
    where: { id: runId },
    data: { status: "completed", costUsd, createdAt: at, endedAt: at },
  });
  const firing = { id: `fir_${runId}`, triggerId: "lnk1", key: runId, dueAt: at, createdAt: at, state: "started" };
  await server.database.firing.create({ data: { ...firing, runId } });
}

const cost = async () => {
  const list: ChannelLinkList = await (await server.call(getLinks, { as: "member" })).json();
  return list.links[0]?.cost;
};

const limit = (period: string, usd: number) =>
  server.call(createBudget, { as: "admin", body: { scope: "user", scopeId: "member", period, usd } });

test("without a budget of one's own a chat's cost is that of the last seven days, unknown if one price is", async () => {
  expect(await cost()).toEqual({ usd: 0, ofUsd: null, period: "week" });
  await addRun(0.5, 8 * DAY_MS);
  await addRun(0.25, 6 * DAY_MS);
  expect(await cost()).toEqual({ usd: 0.25, ofUsd: null, period: "week" });
  await addRun(null, 0);
  expect(await cost()).toEqual({ usd: null, ofUsd: null, period: "week" });
});

test("where each person has a budget, a chat's cost stands against its person's share, unless they have their own", async () => {
  await addRun(0.25, 0);
  await server.call(createBudget, { as: "admin", body: { scope: "each_user", period: "day", usd: 4 } });
  expect(await cost()).toEqual({ usd: 0.25, ofUsd: 4, period: "day" });
  const budget = await server.database.budget.findFirstOrThrow();
  const now = new Date();
  const id = `${budget.id}:user:member:day:${localDay(now, timeZoneOfUser("member"))}`;
  const data = { id, budgetId: budget.id, addedUsd: 1, updatedAt: now };
  await server.database.budgetAccount.create({ data });
  expect(await cost()).toEqual({ usd: 0.25, ofUsd: 5, period: "day" });
  await limit("day", 2);
  expect(await cost()).toEqual({ usd: 0.25, ofUsd: 2, period: "day" });
});

test("a chat's cost stands against its person's budget, that of the shortest period first, with what was added", async () => {
  await addRun(0.5, 60 * DAY_MS);
  await addRun(0.25, 0);
  await limit("total", 20);
  expect(await cost()).toEqual({ usd: 0.75, ofUsd: 20, period: "total" });
  await limit("day", 2);
  expect(await cost()).toEqual({ usd: 0.25, ofUsd: 2, period: "day" });
  const budget = await server.database.budget.findFirstOrThrow({ where: { period: "day" } });
  await server.database.budgetAccount.updateMany({ where: { budgetId: budget.id }, data: { addedUsd: 1 } });
  expect(await cost()).toEqual({ usd: 0.25, ofUsd: 3, period: "day" });
});

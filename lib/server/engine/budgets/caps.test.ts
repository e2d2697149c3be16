import { afterEach, expect, test } from "vitest";
import { BudgetConfig } from "@/lib/schema/agents/agent-config-budget";
import { setUserTimeZones } from "@/lib/server/platform/time/user-time-zones";
import { capsOf } from "./caps";

const chain = {
  members: [{ runId: "run1", agentId: "coder", threadId: "th1" }],
  ownerId: "u1",
  apiKeyId: null,
  projectId: null,
};
const row = { scopeId: null, usd: 1, tokens: null, onReach: "wait" } as const;
const rows = [
  { ...row, id: "mine", scope: "user", scopeId: "u1", period: "day" },
  { ...row, id: "all", scope: "installation", period: "day" },
  { ...row, id: "month", scope: "user", scopeId: "u1", period: "month" },
];

afterEach(() => setUserTimeZones([]));

test("a person's budget counts by the days of their time zone, everybody's by those of the server", () => {
  setUserTimeZones([{ id: "u1", timeZone: "Pacific/Kiritimati" }]);
  const now = new Date(2026, 10, 30, 12);
  const trigger = { id: "trg1", name: "Brief", allow: [], deny: [], runUsd: null, dayUsd: 2 };
  const accounts = capsOf({ ...chain, trigger }, rows, now).map(({ account }) => account);
  const there = now.toLocaleDateString("sv-SE", { timeZone: "Pacific/Kiritimati" });
  expect(accounts).toEqual([
    `mine:day:${there}`,
    "all:day:2026-11-30",
    `month:month:${there.slice(0, 7)}`,
    `trigger:trg1:day:${there}`,
  ]);
});

test("a budget of each person is one of their own for everybody, by their days", () => {
  setUserTimeZones([{ id: "u1", timeZone: "Pacific/Kiritimati" }]);
  const now = new Date(2026, 10, 30, 12);
  const each = [{ ...row, id: "each", scope: "each_user", period: "day" }];
  const of = (ownerId: string) =>
    capsOf({ ...chain, ownerId }, each, now).map(({ account, scopeId }) => [account, scopeId]);
  const there = now.toLocaleDateString("sv-SE", { timeZone: "Pacific/Kiritimati" });
  expect([of("u1"), of("u2")]).toEqual([
    [[`each:user:u1:day:${there}`, "u1"]],
    [["each:user:u2:day:2026-11-30", "u2"]],
  ]);
});

test("an agent's budget of a thread is one for all subagents; their share counts for those above alone", () => {
  const own = BudgetConfig.parse({ run_usd: 1, thread_usd: 2 });
  const [root, child] = ["boss", "worker"].map((agentId, index) => ({
    ...{ agentId, runId: `run${index}`, threadId: `th${index}`, own },
  }));
  const accountsOf = (...members: (typeof root)[]) =>
    capsOf({ ...chain, members: members.flatMap((member) => member ?? []) }, [], new Date()).map(
      ({ account }) => account,
    );
  const ofRoot = ["agent:boss:run:run0", "agent:boss:thread:th0"];
  expect(accountsOf(root)).toEqual(ofRoot);
  expect(accountsOf(root, child)).toEqual([
    ...ofRoot,
    "share:run0",
    "agent:worker:run:run1",
    "agent:worker:thread:th0",
  ]);
});

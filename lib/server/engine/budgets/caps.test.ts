import { afterEach, expect, test } from "vitest";
import { setUserTimeZones } from "@/lib/server/platform/user-time-zones";
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

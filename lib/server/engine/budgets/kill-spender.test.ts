import { expect, test } from "vitest";
import { budgetsChanged } from "@/lib/server/engine/budgets/budget-rows";
import { sweep } from "@/lib/server/engine/sweep";
import { calmPace } from "@/lib/server/platform/db/in-chunks";
import { createTestDatabase } from "@/lib/testing/databases/test-database";
import { addThread, seedThread } from "@/lib/testing/fixtures/run-fixture";
import { runProcess } from "@/lib/testing/processes/start-process";

const HOUR_MS = 3_600_000;

const runHost = (...args: string[]) => runProcess("lib/testing/processes/spending/killable-spender.ts", ...args);

test("a takeover counts what a killed process had sent, and frees the rest of what it reserved", {
  timeout: 60_000,
}, async () => {
  const { database, url, close } = await createTestDatabase();
  await seedThread(database, { budget: { run_usd: 10 } });
  const killed = await runHost(url, "th1", "2");
  expect(killed).toMatchObject({ signal: "SIGKILL", errors: "" });
  const before = await database.budgetAccount.findFirstOrThrow();
  expect([before.usedUsd, before.reservedUsd]).toEqual([0.1, 0.15]);
  expect(await runHost(url)).toMatchObject({ code: 0, errors: "" });
  const run = await database.run.findUniqueOrThrow({ where: { id: killed.output.split("\n")[0] ?? "" } });
  expect(run).toMatchObject({ status: "completed", takeovers: 1, steps: 4, isUsagePartial: true });
  // The lost call is in the run's figures, and so in every report.
  expect(run.costUsd).toBeCloseTo(0.5);
  expect(run.isUsageEstimated).toBe(true);
  const after = await database.budgetAccount.findFirstOrThrow();
  expect(after.usedUsd).toBeCloseTo(0.5);
  expect(after.reservedUsd).toBeCloseTo(0);
  expect(await database.budgetReservation.count()).toBe(0);
  await close();
});

test("five kills in the middle of model calls do not let the provider charge more than the budget", {
  timeout: 120_000,
}, async () => {
  const { database, url, close } = await createTestDatabase();
  await seedThread(database);
  await addThread(database, "th2");
  const budget = { scope: "user", scopeId: "u1", period: "total", usd: 0.75, onReach: "stop" };
  await database.budget.create({ data: { id: "bud_1", createdById: "u2", ...budget } });
  budgetsChanged();
  let calls = 0;
  // The fourth takeover of a run is refused, so the last kill is of a second run.
  for (const threadId of ["th1", "", "", "", "th2"]) {
    const killed = await runHost(url, threadId, "1");
    expect(killed).toMatchObject({ signal: "SIGKILL", errors: "" });
    calls += killed.output.split("call\n").length - 1;
  }
  const ended = await runHost(url);
  expect(ended).toMatchObject({ code: 0, errors: "" });
  calls += ended.output.split("call\n").length - 1;
  // What the first run's last claim reserved stays reserved until the sweep, so one call fewer fits.
  expect(calls).toBe(6);
  await sweep(database, Date.now() + 2 * HOUR_MS, { keepEventsMs: null, pace: calmPace() });
  const account = await database.budgetAccount.findFirstOrThrow({ where: { budgetId: "bud_1" } });
  expect(account.usedUsd).toBeCloseTo(calls * 0.1);
  expect(account.usedUsd).toBeLessThanOrEqual(0.75);
  expect(account.reservedUsd).toBeCloseTo(0);
  expect(await database.budgetReservation.count()).toBe(0);
  await close();
});

import { expect, test } from "vitest";
import { createTestDatabase } from "@/lib/testing/databases/test-database";
import { seedThread } from "@/lib/testing/fixtures/run-fixture";
import { runProcess } from "@/lib/testing/processes/start-process";

const runHost = (...args: string[]) => runProcess("lib/testing/processes/killable-spender.ts", ...args);

test("what a killed process has reserved is freed by the takeover, and the finished calls stay counted", {
  timeout: 60_000,
}, async () => {
  const { database, url, close } = await createTestDatabase();
  await seedThread(database, { budget: { run_usd: 10 } });
  const killed = await runHost(url, "th1");
  expect(killed).toMatchObject({ signal: "SIGKILL", errors: "" });
  const before = await database.budgetAccount.findFirstOrThrow();
  expect([before.usedUsd, before.reservedUsd]).toEqual([0.1, 0.15]);
  expect(await runHost(url)).toMatchObject({ code: 0, errors: "" });
  const run = await database.run.findUniqueOrThrow({ where: { id: killed.output.trim() } });
  expect(run).toMatchObject({ status: "completed", takeovers: 1, steps: 4 });
  const after = await database.budgetAccount.findFirstOrThrow();
  expect(after.usedUsd).toBeCloseTo(0.4);
  expect(after.reservedUsd).toBeCloseTo(0);
  expect(await database.budgetReservation.count()).toBe(0);
  await close();
});

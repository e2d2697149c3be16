import { expect, test } from "vitest";
import { createTestDatabase } from "@/lib/testing/databases/test-database";
import { releaseStatements, reserveCall, settleStatements } from "./budgets";

const NOW = new Date("2026-11-02T09:00:00.000Z");
const CALL = { runId: "run1", epoch: 1, call: 1 };
const RESERVED = { usd: 2, tokens: 200 };

async function withReservation(
  work: (parts: Awaited<ReturnType<typeof createTestDatabase>>["database"]) => Promise<void>,
) {
  const { database, close } = await createTestDatabase();
  try {
    const draws = [{ account: "day", budgetId: null, limitUsd: 10, limitTokens: null }];
    expect(await reserveCall(database, { ...CALL, draws, ...RESERVED, now: NOW })).toBe(true);
    await work(database);
  } finally {
    await close();
  }
}

const settle = (spent: { usd: number; tokens: number }) =>
  settleStatements({ ...CALL, accounts: ["day"], reserved: RESERVED, spent, eventSeq: null, now: NOW });

test("a cost that is settled twice is counted once", async () => {
  await withReservation(async (database) => {
    for (const _ of [1, 2]) await database.rawTransaction(settle({ usd: 1.5, tokens: 120 }));
    expect(await database.budgetAccount.findUnique({ where: { id: "day" } })).toMatchObject({
      usedUsd: 1.5,
      usedTokens: 120,
      reservedUsd: 0,
      reservedTokens: 0,
    });
  });
});

test("a call that was settled frees nothing more when its claim is released", async () => {
  await withReservation(async (database) => {
    await database.rawTransaction(settle({ usd: 1.5, tokens: 120 }));
    await database.rawTransaction(releaseStatements(CALL.runId, CALL.epoch + 1));
    const account = await database.budgetAccount.findUniqueOrThrow({ where: { id: "day" } });
    expect([account.usedUsd, account.reservedUsd]).toEqual([1.5, 0]);
  });
});

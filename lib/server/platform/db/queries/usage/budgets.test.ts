import { expect, test } from "vitest";
import { createTestDatabase } from "@/lib/testing/databases/test-database";
import { seedThread } from "@/lib/testing/fixtures/run-fixture";
import { reserveCall, selectLostClaims, settleLostCalls, settleStatements } from "./budget-calls";

const NOW = new Date("2026-11-02T09:00:00.000Z");
const CALL = { runId: "run1", epoch: 1, call: 1 };
const RESERVED = { usd: 2, tokens: 200 };
const INPUT = { usd: 0.5, tokens: 100 };
const LOST = { runId: CALL.runId, before: CALL.epoch + 1 };

async function withReservation(
  work: (parts: Awaited<ReturnType<typeof createTestDatabase>>["database"]) => Promise<void>,
) {
  const { database, close } = await createTestDatabase();
  try {
    const draws = [{ account: "day", budgetId: null, limitUsd: 10, limitTokens: null }];
    expect(await reserveCall(database, { ...CALL, draws, ...RESERVED, input: INPUT, now: NOW })).toBe(true);
    await work(database);
  } finally {
    await close();
  }
}

const settle = (spent: { usd: number; tokens: number }) =>
  settleStatements({ ...CALL, accounts: ["day"], reserved: RESERVED, spent, eventSeq: null, now: NOW });

test("a cost that is settled twice is counted once", async () => {
  await withReservation(async (database) => {
    for (const _ of [1, 2]) await database.runAll(settle({ usd: 1.5, tokens: 120 }));
    expect(await database.budgetAccount.findUnique({ where: { id: "day" } })).toMatchObject({
      usedUsd: 1.5,
      usedTokens: 120,
      reservedUsd: 0,
      reservedTokens: 0,
    });
  });
});

test("a call that was settled counts no more when its claim is lost", async () => {
  await withReservation(async (database) => {
    await database.runAll(settle({ usd: 1.5, tokens: 120 }));
    await settleLostCalls(database, LOST, 50);
    const account = await database.budgetAccount.findUniqueOrThrow({ where: { id: "day" } });
    expect([account.usedUsd, account.reservedUsd]).toEqual([1.5, 0]);
  });
});

test.each([
  ["before it answered", 0, 0.5, 100],
  ["half way through", 50, 1.25, 150],
  ["with more than was expected", 500, 2, 200],
])("a lost call counts with what it had sent and streamed: %s", async (_, streamed, usedUsd, usedTokens) => {
  await withReservation(async (database) => {
    for (const _again of [1, 2]) await settleLostCalls(database, LOST, streamed);
    const account = await database.budgetAccount.findUniqueOrThrow({ where: { id: "day" } });
    expect(account).toMatchObject({ usedUsd, usedTokens, reservedUsd: 0, reservedTokens: 0 });
    expect(await database.budgetReservation.count()).toBe(0);
  });
});

test("what another call has reserved is no longer free", async () => {
  await withReservation(async (database) => {
    const reserve = (call: number, limitUsd: number) => {
      const draws = [{ account: "day", budgetId: null, limitUsd, limitTokens: null }];
      return reserveCall(database, { ...CALL, call, draws, ...RESERVED, input: INPUT, now: NOW });
    };
    expect(await reserve(2, 3.99)).toBe(false);
    expect(await reserve(3, 4)).toBe(true);
  });
});

test("a call that still goes on is not lost, however long it takes; one of an earlier claim or an ended run is", async () => {
  await withReservation(async (database) => {
    await seedThread(database);
    const version = await database.agentVersion.findFirstOrThrow();
    const place = { threadId: "th1", ownerId: "u1", agentId: "agent", agentVersionId: version.id };
    const made = { input: "{}", traceId: "tr1", assistantMessageId: "msg1", origin: "chat" };
    await database.run.create({ data: { id: CALL.runId, ...place, ...made, status: "running", epoch: CALL.epoch } });
    const lost = () => selectLostClaims(database, new Date(NOW.getTime() + 1));
    expect(await lost()).toEqual([]);
    const claim = [{ runId: CALL.runId, epoch: CALL.epoch }];
    for (const data of [{ epoch: CALL.epoch + 1 }, { epoch: CALL.epoch, status: "completed" }]) {
      await database.run.update({ where: { id: CALL.runId }, data });
      expect(await lost()).toEqual(claim);
    }
  });
});

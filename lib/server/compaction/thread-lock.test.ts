import { describe, expect, test } from "vitest";
import { runDatabase, seedThread } from "@/lib/testing/run-fixture";
import { claimFlush, lockThread, unlockThread } from "./thread-lock";

describe("the right to compact a thread", () => {
  const { database } = runDatabase();

  test("is one caller's until it is given back, and nobody waits", async () => {
    await seedThread(database());
    const taken = await Promise.all([1, 2, 3].map(() => lockThread(database(), "th1", 60_000)));
    const owner = taken.find((result) => result !== null) ?? "";
    expect(taken.filter((result) => result !== null)).toHaveLength(1);
    await unlockThread(database(), "th1", "somebody else");
    expect(await lockThread(database(), "th1", 60_000)).toBeNull();
    await unlockThread(database(), "th1", owner);
    expect(await lockThread(database(), "th1", 60_000)).not.toBeNull();
  });

  test("runs out when its holder died", async () => {
    await seedThread(database());
    await lockThread(database(), "th1", -1);
    expect(await lockThread(database(), "th1", 60_000)).not.toBeNull();
  });

  test("memory is flushed once per cycle", async () => {
    await seedThread(database());
    const claims = [];
    for (const cycle of [0, 0, 1, 1]) claims.push(await claimFlush(database(), "th1", cycle));
    expect(claims).toEqual([true, false, true, false]);
  });
});
